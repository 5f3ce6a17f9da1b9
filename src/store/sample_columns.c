#include "parts_p.h"

#include "store/store.h"
#include "store_check_p.h"

#include <stdlib.h>
#include <unistd.h>

/*
 * Reads the samples: one section for each column, so that only requested columns are read; and
 * zones, which tell which blocks need not be read either.
 */
static unsigned
part_of(enum cr_sample_column c)
{
	return (unsigned)CR_STORE_TIME << c;
}

int
cr_part_column_section(struct cr_opening *o, enum cr_sample_column c, const struct cr_section **out,
	struct cr_err *err)
{
	const struct cr_section *first, *s;
	int rc;

	if ((rc = cr_opening_section(o, CR_SECTION_COLUMN, &first, err)) < 0 ||
		(rc = cr_opening_section(o, (enum cr_section_id)(CR_SECTION_COLUMN + c), &s, err)) <
			0)
		return rc;
	*out = s;
	for (uint32_t k = 0; s->n_blocks == first->n_blocks && k < s->n_blocks; k++)
		if (cr_opening_block(o, s, k)->rows != cr_opening_block(o, first, k)->rows)
			return cr_opening_damaged(s, cr_opening_block(o, s, k),
				"it has other rows than the other columns", err);
	if (s->n_blocks != first->n_blocks)
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
			"section '%s' has other rows than the other columns",
			cr_layout_of(s->id)->name);
	return CR_OK;
}

/* The samples decide, so a damaged zone costs no samples. It is reported once. */
static void
zone_disagrees(struct cr_opening *o, enum cr_sample_column c, uint32_t z)
{
	struct cr_err err = CR_ERR_INIT;

	cr_fail(&err, CR_EFORMAT, CR_NO_OFFSET,
		"zone %u of '%s' does not agree with its samples, which are used", z,
		cr_layout_of((enum cr_section_id)(CR_SECTION_COLUMN + c))->name);
	if (!o->zones_disagree)
		cr_opening_lose(o, "zones of samples", &err);
	o->zones_disagree = true;
}

/*
 * A fold does not read the weights if the zones say that all are equal. So the heads of the blocks
 * must say the same. A zone that they do not confirm is ignored until its block is read.
 */
static int
zones_prove_weights(struct cr_opening *o, uint32_t n, struct cr_err *err)
{
	const enum cr_sample_column c = CR_SAMPLE_WEIGHT;
	const struct cr_section *s;
	int rc = cr_part_column_section(o, c, &s, err);

	for (uint32_t z = 0; rc == CR_OK && z < n; z++) {
		struct cr_sample_zone *zone = &o->zones[z];
		struct cr_err ignored = CR_ERR_INIT; /* reported when the block is read */
		bool same, is_read;
		uint64_t value;

		if (zone->least[c] != zone->most[c])
			continue;
		is_read = cr_opening_constant(o, s, z, &same, &value, &ignored) == CR_OK;
		if (same && value == zone->least[c])
			continue;
		if (is_read)
			zone_disagrees(o, c, z);
		zone->open |= 1u << c;
		zone->least[c] = 0;
		zone->most[c] = UINT64_MAX;
	}
	return rc;
}

int
cr_part_zones(struct cr_opening *o, struct cr_err *err)
{
	int rc;

	const struct cr_stored_zone *stored;
	const struct cr_section *first;
	uint64_t row = 0;
	uint32_t n;

	if (!cr_directory_find(&o->dir, CR_SECTION_ZONES))
		return CR_OK; /* the release was older */
	if (cr_opening_section(o, CR_SECTION_COLUMN, &first, err) < 0)
		return err->code;
	stored = cr_opening_structs(o, CR_SECTION_ZONES, &n, err);
	if (!stored)
		return err->code;
	if (n != first->n_blocks)
		return cr_fail(err, CR_EFORMAT, CR_NO_OFFSET, "the samples are in %u zones, not %u",
			first->n_blocks, n);
	o->zones = cr_opening_room(o, n, sizeof(*o->zones), err);
	if (!o->zones)
		return err->code;
	for (uint32_t z = 0; z < n; z++) {
		o->zones[z].first = row;
		memcpy(o->zones[z].least, stored[z].least, sizeof(o->zones[z].least));
		memcpy(o->zones[z].most, stored[z].most, sizeof(o->zones[z].most));
		row += cr_opening_block(o, first, z)->rows;
	}
	if ((rc = zones_prove_weights(o, n, err)) < 0) {
		o->zones = NULL;
		return rc;
	}
	o->p->samples.zones = o->zones;
	o->p->samples.n_zones = n;
	return CR_OK;
}

static void
samples_publish(struct cr_opening *o)
{
	struct cr_samples *s = &o->p->samples;

	s->time_ns = o->columns[CR_SAMPLE_TIME];
	s->weight = o->columns[CR_SAMPLE_WEIGHT];
	s->task = o->columns[CR_SAMPLE_TASK];
	s->node = o->columns[CR_SAMPLE_NODE];
	s->cpu = o->columns[CR_SAMPLE_CPU];
	s->event = o->columns[CR_SAMPLE_EVENT];
	for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++)
		s->filed |= (unsigned)(o->file1[c] != 0) << c;
	o->p->flags |= o->stored_flags & CR_PROFILE_HAS_SAMPLES;
}

void
cr_part_columns_close(struct cr_opening *o)
{
	for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++) {
		if (o->file1[c])
			close(o->file1[c] - 1);
		o->file1[c] = 0;
	}
}

/* Memory that was published stays allocated: callers may be using it. */
void
cr_part_columns_drop(struct cr_opening *o)
{
	o->p->samples = (struct cr_samples){0};
	o->p->flags &= ~(uint32_t)CR_PROFILE_HAS_SAMPLES;
	memset(o->columns, 0, sizeof(o->columns));
	cr_part_columns_close(o);
	o->zones = NULL;
	o->tried |= CR_STORE_COLUMNS;
}

/* Samples are usable without times and cpus. Mark these as unknown. */
static bool
column_go_without(struct cr_opening *o, enum cr_sample_column c, struct cr_err *err)
{
	const uint64_t none = c == CR_SAMPLE_CPU ? CR_CPU_NONE : 0;

	if ((c != CR_SAMPLE_TIME && c != CR_SAMPLE_CPU) || err->code == CR_EMEM)
		return false;
	memset(o->columns[c], none ? 0xff : 0, (size_t)o->p->samples.n * cr_sample_column_bytes(c));
	for (uint32_t z = 0; o->zones && z < o->p->samples.n_zones; z++) {
		o->zones[z].least[c] = o->zones[z].most[c] = none;
		o->zones[z].here |= 1u << c;
	}
	o->p->flags &= ~(uint32_t)(c == CR_SAMPLE_CPU ? CR_PROFILE_HAS_CPU : CR_PROFILE_HAS_TIME);
	o->tried |= part_of(c);
	cr_opening_lose(o, c == CR_SAMPLE_CPU ? "processors of samples" : "times of samples", err);
	*err = (struct cr_err)CR_ERR_INIT;
	return true;
}

/* The blocks to read: wanted and not read yet. NULL for all; returns false if there are none. */
static bool
blocks_to_read(
	const struct cr_opening *o, enum cr_sample_column c, const uint8_t *want, uint8_t **out)
{
	const uint32_t n = o->p->samples.n_zones;
	bool any = false;

	*out = NULL;
	if (!o->zones)
		return true;
	*out = cr_alloc(CR_MAX(n, 1u), 1);
	for (uint32_t z = 0; z < n; z++)
		any |= (*out)[z] = (!want || want[z]) && !(o->zones[z].here >> c & 1);
	return any;
}

static void
blocks_are_here(struct cr_opening *o, enum cr_sample_column c, const uint8_t *read)
{
	bool all = true;

	for (uint32_t z = 0; o->zones && z < o->p->samples.n_zones; z++) {
		if (read[z])
			o->zones[z].here |= 1u << c;
		all &= o->zones[z].here >> c & 1;
	}
	if (all)
		o->tried |= part_of(c);
}

/* Correct zones that disagree with the samples just read. */
static void
zones_compare(struct cr_opening *o, enum cr_sample_column c, const uint8_t *read,
	const struct cr_column_span *spans)
{
	for (uint32_t z = 0; o->zones && z < o->p->samples.n_zones; z++) {
		struct cr_sample_zone *zone = &o->zones[z];
		const struct cr_column_span *is = &spans[z];

		if (!read[z] || (zone->least[c] == is->least && zone->most[c] == is->most))
			continue;
		if (!(zone->open >> c & 1))
			zone_disagrees(o, c, z);
		zone->open &= ~(1u << c);
		zone->least[c] = is->least;
		zone->most[c] = is->most;
	}
}

static int
column_room(struct cr_opening *o, enum cr_sample_column c, struct cr_err *err)
{
	const struct cr_section *s;
	int rc = cr_part_column_section(o, c, &s, err);

	if (rc < 0)
		return rc;
	o->p->samples.n = s->rows;
	if (!o->columns[c])
		o->columns[c] = cr_opening_room_filed(
			o, s->rows, cr_sample_column_bytes(c), &o->file1[c], err);
	return o->columns[c] ? CR_OK : err->code;
}

static int
column_read(struct cr_opening *o, enum cr_sample_column c, const uint8_t *want, struct cr_err *err)
{
	const struct cr_section *s;
	struct cr_column_span *spans;
	uint8_t *blocks;
	int rc = cr_part_column_section(o, c, &s, err);

	if (rc < 0)
		return rc;
	spans = cr_alloc(CR_MAX(s->n_blocks, 1u), sizeof(*spans));
	if (blocks_to_read(o, c, want, &blocks)) {
		rc = cr_opening_column(o, s, o->columns[c], o->file1[c], blocks, spans, err);
		if (rc == CR_OK)
			zones_compare(o, c, blocks, spans);
	}
	if (rc == CR_OK)
		blocks_are_here(o, c, blocks);
	free(blocks);
	free(spans);
	return rc == CR_OK || column_go_without(o, c, err) ? CR_OK : rc;
}

/* Read the format of the first releases: all columns in the blocks of one section. */
static int
columns_read_together(struct cr_opening *o, struct cr_err *err)
{
	const int rc = cr_opening_arrays(o, CR_SECTION_SAMPLES, o->columns, &o->p->samples.n, err);

	o->tried |= CR_STORE_COLUMNS;
	return rc;
}

/*
 * Allocate all columns first. If memory is missing for the last, the others are not read in vain,
 * and their pages stay unused.
 */
static int
columns_read(struct cr_opening *o, unsigned columns, const uint8_t *want, struct cr_err *err)
{
	int rc;

	if (!cr_directory_find(&o->dir, CR_SECTION_COLUMN))
		return columns_read_together(o, err);
	for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++)
		if ((columns >> c & 1) && (rc = column_room(o, (enum cr_sample_column)c, err)) < 0)
			return rc;
	for (unsigned c = 0; c < CR_SAMPLE_COLUMNS; c++)
		if ((columns >> c & 1) &&
			(rc = column_read(o, (enum cr_sample_column)c, want, err)) < 0)
			return rc;
	return CR_OK;
}

int
cr_part_columns(struct cr_opening *o, unsigned columns, const uint8_t *want, struct cr_err *err)
{
	const unsigned sums = CR_STORE_EVENT | CR_STORE_WEIGHT;
	int rc = columns_read(o, columns, want, err);

	if (rc == CR_OK)
		samples_publish(o);
	if (rc == CR_OK && !o->summed && (o->tried & sums) == sums) {
		o->summed = true;
		if (!cr_store_check_samples(&o->p->samples, o->p))
			rc = cr_fail(err, CR_EFORMAT, CR_NO_OFFSET,
				"the samples do not add up to the events");
	}
	if (rc < 0 && rc != CR_EMEM)
		cr_part_columns_drop(o);
	return rc;
}
