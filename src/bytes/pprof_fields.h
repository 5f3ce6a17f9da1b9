#ifndef CR_BYTES_PPROF_FIELDS_H
#define CR_BYTES_PPROF_FIELDS_H

/*
 * Field numbers of pprof's own format, as in profile.proto of github.com/google/pprof (2024): one
 * protocol buffer message, usually compressed with gzip. Fields come in any order.
 *
 *	1 sample_type {1 type, 2 unit}           numbers of strings
 *	2 sample {1 location_id*, 2 value*,                                   innermost first
 *	          3 label*{1 key, 2 str, 3 num, 4 num_unit}}
 *	3 mapping {1 id, 2 start, 3 limit, 4 offset, 5 filename, 6 build_id,
 *	           7 has_functions, 8 has_filenames, 9 has_line_numbers, 10 has_inline_frames}
 *	4 location {1 id, 2 mapping_id, 3 address, 4 line*{1 function_id, 2 line}}   innermost first
 *	5 function {1 id, 2 name, 3 system_name, 4 filename, 5 start_line}
 *	6 string*                                the first is ""
 *	7 drop_frames 8 keep_frames 9 time_nanos 10 duration_nanos 11 period_type {1, 2} 12 period
 *	13 comment* 14 default_sample_type
 */
enum cr_pprof_field {
	CR_PPROF_TYPE = 1,
	CR_PPROF_SAMPLE,
	CR_PPROF_MAPPING,
	CR_PPROF_LOCATION,
	CR_PPROF_FUNCTION,
	CR_PPROF_STRING,
	CR_PPROF_DROP,
	CR_PPROF_KEEP,
	CR_PPROF_TIME,
	CR_PPROF_DURATION,
	CR_PPROF_PERIOD_TYPE,
	CR_PPROF_PERIOD,
	CR_PPROF_COMMENT,
	CR_PPROF_DEFAULT_TYPE,
};

#endif
