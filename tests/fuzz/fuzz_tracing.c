/*
 * Any bytes as the formats of tracepoints, and the last of them as a record of each in either byte
 * order.
 */
#include <stdint.h>
#include <stdlib.h>

#include "read/perf_data/tracepoints/perf_trace_value_p.h"
#include "read/perf_data/tracepoints/perf_tracing_p.h"

#define RECORD_BYTES 256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
field_decode(const struct perf_trace_field *f, struct cr_cursor raw, struct cr_text *text)
{
	uint64_t v;

	if (cr_perf_trace_form(f) != CR_FORM_TEXT) {
		cr_perf_trace_number(f, raw, &v);
		return;
	}
	cr_text_clear(text);
	if (!cr_perf_trace_text(f, raw, text) && text->len)
		abort();
	if (text->len > PERF_TRACE_TEXT)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_tracing t = {0};
	struct cr_log log = {0};
	struct cr_text text = {0};
	struct cr_cursor c, raw;

	cr_cursor_init(&c, data, size);
	raw = c;
	cr_perf_tracing_read(c, &t, &log);
	cr_cursor_skip(&raw, size - CR_MIN(size, (size_t)RECORD_BYTES));
	for (size_t i = 0; i < t.events.n; i++) {
		const struct perf_tracepoint *e = cr_perf_tracing_find(&t, t.events.p[i].id);

		if (!e || e->id != t.events.p[i].id)
			abort();
		for (uint32_t k = 0; k < e->n_fields; k++, raw.swap = !raw.swap) {
			if (!cr_perf_trace_field_find(e, e->fields[k].name))
				abort();
			field_decode(&e->fields[k], raw, &text);
		}
	}
	cr_text_fini(&text);
	cr_perf_tracing_fini(&t);
	return 0;
}
