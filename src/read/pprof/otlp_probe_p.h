#ifndef CR_READ_PPROF_OTLP_PROBE_P_H
#define CR_READ_PPROF_OTLP_PROBE_P_H

#include "read/probe.h"

/* The probe of the reader of OpenTelemetry profiles, see struct cr_reader. */
unsigned cr_otlp_probe(const struct cr_head *head, uint64_t *line);

#endif
