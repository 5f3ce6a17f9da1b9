#ifndef CR_BYTES_OTLP_FIELDS_H
#define CR_BYTES_OTLP_FIELDS_H

/*
 * Field numbers of OpenTelemetry profiles, as in profiles.proto (v1development, alpha) of
 * github.com/open-telemetry/opentelemetry-proto of August 2026. A file is one message ProfilesData;
 * the body of a request to a collector has the same bytes.
 *
 *	1 resource_profiles* {1 resource {1 attribute*}, 2 scope_profiles*}
 *	    scope_profiles {1 scope {1 name, 2 version}, 2 profile*}
 *	    profile {1 sample_type {1 type, 2 unit}, 2 sample*, 3 time_unix_nano (fixed64),
 *	             4 duration_nano, 5 period_type {1, 2}, 6 period, 11 attribute_indices*}
 *	    sample {1 stack_index, 2 attribute_indices*, 4 value*, 5 timestamp* (fixed64)}
 *	2 dictionary
 *	    1 mapping* {1 start, 2 limit, 3 offset, 4 filename, 5 attribute_indices*}
 *	    2 location* {1 mapping_index, 2 address, 3 line*{1 function_index, 2 line},
 *	                 4 attribute_indices*}
 *	    3 function* {1 name, 2 system_name, 3 filename, 4 start_line}
 *	    4 link*
 *	    5 string*
 *	    6 attribute* {1 key, 2 value, 3 unit}
 *	    7 stack* {1 location_indices*}                                      innermost first
 *
 * Names, keys and units are indices of strings. Index 0 of each table is an empty item, which
 * stands for "none". An attribute of a resource is {1 key, 2 value} with the key as text. A value
 * is {1 text, 2 bool, 3 int, 8 index of a string, ...}, one of them.
 */
enum cr_otlp_data { CR_OTLP_RESOURCE_PROFILES = 1, CR_OTLP_DICTIONARY };
enum cr_otlp_resource { CR_OTLP_RESOURCE = 1, CR_OTLP_SCOPE_PROFILES };
enum cr_otlp_scope { CR_OTLP_SCOPE = 1, CR_OTLP_PROFILE };
enum cr_otlp_table {
	CR_OTLP_MAPPING = 1,
	CR_OTLP_LOCATION,
	CR_OTLP_FUNCTION,
	CR_OTLP_LINK,
	CR_OTLP_STRING,
	CR_OTLP_ATTRIBUTE,
	CR_OTLP_STACK,
	CR_OTLP_TABLES,
};
enum cr_otlp_profile {
	CR_OTLP_TYPE = 1,
	CR_OTLP_SAMPLE,
	CR_OTLP_TIME,
	CR_OTLP_DURATION,
	CR_OTLP_PERIOD_TYPE,
	CR_OTLP_PERIOD,
	CR_OTLP_PROFILE_ATTRIBUTES = 11,
};
enum cr_otlp_value_kind { CR_OTLP_TEXT = 1, CR_OTLP_BOOL, CR_OTLP_INT, CR_OTLP_TEXT_INDEX = 8 };

#endif
