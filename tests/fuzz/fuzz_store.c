/*
 * Any bytes as a stored profile, past the checksums. What opens is then used as the program
 * would use it: whatever the tables point at must be there.
 */
#include <stdint.h>
#include <stdlib.h>

#include "model/field.h"
#include "model/merge/merge.h"
#include "model/tree/default_tree.h"
#include "model/tree/outermost.h"
#include "store/seams_p.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sink; /* so that nothing read is optimised away */

static void
touch(struct cr_str s)
{
	for (uint32_t i = 0; i < s.len; i++)
		sink += (unsigned char)s.p[i];
}

static void
touch_names(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_facts; i++) {
		touch(p->facts[i].key);
		touch(p->facts[i].value);
	}
	for (uint32_t i = 0; i < p->n_quality; i++)
		touch(p->quality[i].what);
	for (uint32_t i = 0; i < p->n_dsos; i++) {
		touch(p->dsos[i].name);
		sink += p->dsos[i]
				.build_id[p->dsos[i].build_id_len - (p->dsos[i].build_id_len > 0)];
		touch(cr_str_of(cr_kind_name(p->dsos[i].kind)));
	}
	for (uint32_t i = 0; i < p->n_functions; i++) {
		touch(p->functions[i].name);
		touch(p->functions[i].linkage);
		touch(p->functions[i].file);
		sink += p->dsos[p->functions[i].dso.i].kind;
	}
	for (uint32_t i = 0; i < p->n_tasks; i++)
		touch(p->tasks[i].comm);
}

static void
touch_fields(const struct cr_profile *p)
{
	struct cr_text t = {0};

	for (uint32_t i = 0; i < p->n_fields; i++) {
		const struct cr_field *d = &p->fields[i];

		touch(d->name);
		touch(p->events[d->event.i].name);
		touch(cr_str_of(cr_form_name(d->form)));
		for (uint64_t k = 0; d->value && k < d->n; k++)
			cr_field_put(p, d, d->value[k], &t);
		sink += t.len;
		cr_text_clear(&t);
	}
	cr_text_fini(&t);
}

static void
touch_tree(const struct cr_profile *p)
{
	for (uint32_t i = 1; i < p->n_nodes; i++) {
		const struct cr_location *l = &p->locations[p->node_location[i]];

		if (p->node_parent[i] >= i || p->node_end[i] <= i ||
			p->node_end[i] > p->node_end[p->node_parent[i]])
			abort();
		for (uint32_t k = 0; k < l->lines; k++) {
			sink += p->functions[p->lines[l->first_line + k].function.i].line;
			touch(cr_line_file(p, &p->lines[l->first_line + k]));
		}
	}
}

static void
touch_code(const struct cr_profile *p)
{
	for (uint32_t i = 0; i < p->n_codes; i++) {
		touch(p->codes[i].bytes);
		touch(p->functions[p->codes[i].function.i].name);
		sink += p->codes[i].bits / (p->codes[i].bits / 32u);
	}
	for (uint32_t i = 0; i < p->n_source_lines; i++) {
		touch(p->source_lines[i].file);
		touch(p->source_lines[i].text);
	}
}

static void
touch_default_tree(const struct cr_profile *p)
{
	for (uint32_t e = 0; p->default_tree && e < p->n_events; e++)
		cr_tree_free(cr_default_tree_fold(p, (cr_event_id){e}));
}

static void
touch_samples(const struct cr_profile *p)
{
	for (uint64_t i = 0; i < p->samples.n; i++) {
		const uint32_t node = p->samples.node[i];

		touch(p->events[p->samples.event[i]].name);
		touch(p->tasks[p->samples.task[i]].comm);
		if (node)
			sink += cr_profile_ip(p, i, node);
		sink += p->node_end[node] + p->samples.time_ns[i] + p->samples.weight[i] +
			p->samples.cpu[i];
	}
}

/* Columns in zones, each with what of it is here; then, column by column, all of it. */
static void
fetch_more(struct cr_profile *p, struct cr_log *log, struct cr_err *err)
{
	uint8_t *want = calloc(p->samples.n_zones + 1u, 1);

	for (uint32_t z = 0; z < p->samples.n_zones; z++)
		want[z] = (uint8_t)(z % 2);
	if (cr_store_fetch_zones(p, CR_STORE_NODE | CR_STORE_TIME, want, log, err) < 0)
		abort();
	for (uint32_t z = 0; z + 1 < p->samples.n_zones; z++)
		for (uint64_t i = p->samples.zones[z].first; i < p->samples.zones[z + 1].first; i++)
			if (p->samples.zones[z].here >> CR_SAMPLE_NODE & 1)
				sink += p->node_end[p->samples.node[i]];
	for (unsigned part = CR_STORE_TREE; part < CR_STORE_ALL; part <<= 1)
		if (cr_store_fetch(p, part, log, err) < 0)
			abort();
	free(want);
}

static void
touch_all(struct cr_profile *p)
{
	touch_names(p);
	touch_tree(p);
	touch_samples(p);
	touch_fields(p);
	touch_code(p);
	touch_default_tree(p);
}

/* With itself: of samples that are there it is a profile, whatever the tables are. */
static void
merge_it(const struct cr_profile *p)
{
	struct cr_merge *m = cr_merge_new();
	struct cr_err err = CR_ERR_INIT;
	struct cr_profile *out;

	if (cr_merge_add(m, p, CR_STR("it"), &err) == CR_OK &&
		cr_merge_add(m, p, CR_STR("too"), &err) == CR_OK &&
		cr_merge_finish(m, &out, &err) == CR_OK) {
		touch_all(out);
		cr_profile_free(out);
	}
	cr_merge_free(m);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned parts[] = {CR_STORE_DEFAULT_TREE, CR_STORE_ALL};

	for (size_t i = 0; i < CR_LEN(parts); i++) {
		struct cr_log log = {0};
		struct cr_err err = CR_ERR_INIT;
		struct cr_profile *p;

		if (cr_store_read(data, size, parts[i], true, &p, &log, &err) < 0) {
			if (p || !err.text[0])
				abort();
			continue;
		}
		touch_all(p);
		fetch_more(p, &log, &err);
		touch_all(p);
		merge_it(p);
		cr_outermost(p);
		touch_tree(p);
		touch_default_tree(p);
		cr_profile_free(p);
	}
	return 0;
}
