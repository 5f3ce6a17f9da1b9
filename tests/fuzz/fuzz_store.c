/*
 * Any bytes as a stored profile, past the checksums. What opens is then used as the program
 * would use it: whatever the tables point at must be there.
 */
#include <stdint.h>
#include <stdlib.h>

#include "../../src/store/seams.h"
#include "cresset/profile/detail.h"
#include "cresset/profile/outermost.h"
#include "cresset/profile/outline.h"

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
	for (uint32_t i = 0; i < p->n_objects; i++) {
		touch(p->objects[i].name);
		sink += p->objects[i].build_id[p->objects[i].build_id_len - (p->objects[i].build_id_len > 0)];
		touch(cr_str_of(cr_kind_name(p->objects[i].kind)));
	}
	for (uint32_t i = 0; i < p->n_functions; i++) {
		touch(p->functions[i].name);
		touch(p->functions[i].linkage);
		touch(p->functions[i].file);
		sink += p->objects[p->functions[i].object.i].kind;
	}
	for (uint32_t i = 0; i < p->n_tasks; i++)
		touch(p->tasks[i].comm);
}

static void
touch_details(const struct cr_profile *p)
{
	struct cr_text t = {0};

	for (uint32_t i = 0; i < p->n_details; i++) {
		const struct cr_detail *d = &p->details[i];

		touch(d->name);
		touch(p->events[d->event.i].name);
		touch(cr_str_of(cr_form_name(d->form)));
		for (uint64_t k = 0; d->value && k < d->n; k++)
			cr_detail_put(p, d, d->value[k], &t);
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

		if (p->node_parent[i] >= i || p->node_end[i] <= i || p->node_end[i] > p->node_end[p->node_parent[i]])
			abort();
		for (uint32_t k = 0; k < l->lines; k++) {
			sink += p->functions[p->lines[l->first_line + k].function.i].line;
			touch(cr_line_file(p, &p->lines[l->first_line + k]));
		}
	}
}

static void
touch_outline(const struct cr_profile *p)
{
	for (uint32_t e = 0; p->outline && e < p->n_events; e++)
		cr_tree_free(cr_outline_tree(p, (cr_event_id){e}));
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
		sink += p->node_end[node] + p->samples.time_ns[i] + p->samples.weight[i] + p->samples.cpu[i];
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned parts[] = {CR_STORE_OUTLINE, CR_STORE_ALL};

	for (size_t i = 0; i < CR_LEN(parts); i++) {
		struct cr_log log = {0};
		struct cr_err err = CR_ERR_INIT;
		struct cr_profile *p;

		if (cr_store_read(data, size, parts[i], true, &p, &log, &err) < 0) {
			if (p || !err.text[0])
				abort();
			continue;
		}
		touch_names(p);
		touch_tree(p);
		touch_samples(p);
		touch_details(p);
		touch_outline(p);
		cr_outermost(p);
		touch_tree(p);
		touch_outline(p);
		cr_profile_free(p);
	}
	return 0;
}
