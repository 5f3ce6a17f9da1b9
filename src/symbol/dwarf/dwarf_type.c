#include "dwarf_type_p.h"

#include <dwarf.h>

#define MAX_NAME 4096 /* bytes; the rest is left out: many types may share a long name */
#define MAX_CHAIN 32  /* typedefs of typedefs, members in members, pointers to pointers */

bool
cr_dwarf_type_attr(const struct cr_dwarf *d, Dwarf_Die *die, unsigned name, Dwarf_Attribute *out)
{
	static const unsigned links[] = {DW_AT_abstract_origin, DW_AT_specification};
	Dwarf_Die at = *die;

	for (int depth = 0; depth < MAX_CHAIN; depth++) {
		Dwarf_Attribute a;
		Dwarf_Die next;
		bool any = false;

		if (dwarf_attr(&at, name, out))
			return true;
		for (size_t i = 0; i < CR_LEN(links) && !any; i++)
			any = dwarf_attr(&at, links[i], &a) && cr_dwarf_refer(d, &a, &next);
		if (!any)
			return false;
		at = next;
	}
	return false;
}

bool
cr_dwarf_type_of(const struct cr_dwarf *d, Dwarf_Die *die, Dwarf_Die *out)
{
	Dwarf_Attribute a;

	return cr_dwarf_type_attr(d, die, DW_AT_type, &a) && cr_dwarf_refer(d, &a, out);
}

/* A type that is another one under a different name or qualified. */
static bool
is_alias(Dwarf_Die *type)
{
	switch (dwarf_tag(type)) {
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type: return true;
	default: return false;
	}
}

void
cr_dwarf_type_peel(const struct cr_dwarf *d, Dwarf_Die *type)
{
	Dwarf_Die next;

	for (int depth = 0; depth < MAX_CHAIN && is_alias(type) && cr_dwarf_type_of(d, type, &next);
		depth++)
		*type = next;
}

bool
cr_dwarf_type_target(const struct cr_dwarf *d, const Dwarf_Die *type, Dwarf_Die *out)
{
	Dwarf_Die at = *type;

	cr_dwarf_type_peel(d, &at);
	switch (dwarf_tag(&at)) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type: return cr_dwarf_type_of(d, &at, out);
	default: return false;
	}
}

/* The number of elements of one dimension; 0 if it is unknown. */
static uint64_t
dimension(Dwarf_Die *range)
{
	uint64_t v;

	if (cr_dwarf_die_number(range, DW_AT_count, &v))
		return v;
	return cr_dwarf_die_number(range, DW_AT_upper_bound, &v) && v < UINT64_MAX ? v + 1 : 0;
}

static uint64_t
array_length(Dwarf_Die *array)
{
	uint64_t n = 1;
	Dwarf_Die die;
	int rc = dwarf_child(array, &die);

	for (int i = 0; rc == 0 && i < MAX_CHAIN; i++) {
		if (dwarf_tag(&die) == DW_TAG_subrange_type && !cr_mul_ok(n, dimension(&die), &n))
			return 0;
		rc = dwarf_siblingof(&die, &die);
	}
	return n;
}

static uint64_t
size_at(const struct cr_dwarf *d, const Dwarf_Die *type, int depth)
{
	Dwarf_Die at = *type, element;
	uint64_t size;

	cr_dwarf_type_peel(d, &at);
	if (cr_dwarf_die_number(&at, DW_AT_byte_size, &size))
		return size;
	if (dwarf_tag(&at) != DW_TAG_array_type || depth == MAX_CHAIN ||
		!cr_dwarf_type_of(d, &at, &element) ||
		!cr_mul_ok(array_length(&at), size_at(d, &element, depth + 1), &size))
		return 0;
	return size;
}

uint64_t
cr_dwarf_type_size(const struct cr_dwarf *d, const Dwarf_Die *type)
{
	return size_at(d, type, 0);
}

/* ---- names */

static const char *
own_name(const struct cr_dwarf *d, Dwarf_Die *type)
{
	Dwarf_Attribute a;
	const char *name = dwarf_attr(type, DW_AT_name, &a) ? cr_dwarf_text(d, &a) : NULL;

	return name && *name ? name : NULL;
}

static void
put_own_name(const char *name, struct cr_text *out)
{
	cr_text_put(out, name, strnlen(name, MAX_NAME));
}

static const char *
keyword(Dwarf_Die *type)
{
	switch (dwarf_tag(type)) {
	case DW_TAG_structure_type: return "struct ";
	case DW_TAG_union_type: return "union ";
	case DW_TAG_enumeration_type: return "enum ";
	case DW_TAG_class_type: return "class ";
	default: return "";
	}
}

/* A typedef has no name of its own here, unless what it stands for has none. */
static void
put_alias(const struct cr_dwarf *d, Dwarf_Die *type, struct cr_text *out)
{
	Dwarf_Die at = *type, last = *type;

	for (int depth = 0; depth < MAX_CHAIN && is_alias(&at); depth++) {
		Dwarf_Die next;

		if (own_name(d, &at))
			last = at;
		if (!cr_dwarf_type_of(d, &at, &next))
			return;
		at = next;
	}
	if (own_name(d, &at) || !own_name(d, &last))
		cr_dwarf_type_name(d, &at, out);
	else
		put_own_name(own_name(d, &last), out);
}

static void
put_name(const struct cr_dwarf *d, const Dwarf_Die *type, int depth, struct cr_text *out)
{
	Dwarf_Die at = *type, next;

	if (depth == MAX_CHAIN)
		return;
	switch (dwarf_tag(&at)) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
	case DW_TAG_array_type:
		if (cr_dwarf_type_of(d, &at, &next))
			put_name(d, &next, depth + 1, out);
		else
			cr_text_puts(out, "void");
		cr_text_puts(out, dwarf_tag(&at) == DW_TAG_array_type     ? "[]"
				  : dwarf_tag(&at) == DW_TAG_pointer_type ? " *"
									  : " &");
		return;
	default: break;
	}
	if (is_alias(&at)) {
		Dwarf_Die real = at;

		cr_dwarf_type_peel(d, &real);
		if (!is_alias(&real) && own_name(d, &real)) {
			put_name(d, &real, depth + 1, out);
			return;
		}
		put_alias(d, &at, out);
		return;
	}
	cr_text_puts(out, keyword(&at));
	if (own_name(d, &at))
		put_own_name(own_name(d, &at), out);
	else if (*keyword(&at))
		cr_text_puts(out, "(unnamed)");
}

void
cr_dwarf_type_name(const struct cr_dwarf *d, const Dwarf_Die *type, struct cr_text *out)
{
	put_name(d, type, 0, out);
}

/* ---- members */

/* Where a member begins, in bytes. */
static bool
member_offset(Dwarf_Die *member, uint64_t *out)
{
	uint64_t bits;

	if (cr_dwarf_die_number(member, DW_AT_data_member_location, out))
		return true;
	if (cr_dwarf_die_number(member, DW_AT_data_bit_offset, &bits)) {
		*out = bits / 8;
		return true;
	}
	*out = 0;
	return !dwarf_hasattr(member, DW_AT_data_member_location);
}

static bool
is_member(Dwarf_Die *die)
{
	return (dwarf_tag(die) == DW_TAG_member || dwarf_tag(die) == DW_TAG_inheritance) &&
	       !dwarf_hasattr(die, DW_AT_external) && !dwarf_hasattr(die, DW_AT_declaration);
}

/* The member that contains the offset, which becomes one in its type. */
static bool
member_find(const struct cr_dwarf *d, Dwarf_Die *aggregate, uint64_t *offset, uint64_t *budget,
	Dwarf_Die *member, Dwarf_Die *type)
{
	int rc = dwarf_child(aggregate, member);

	for (; rc == 0 && *budget; --*budget) {
		uint64_t at, size;

		if (is_member(member) && member_offset(member, &at) && at <= *offset &&
			cr_dwarf_type_of(d, member, type)) {
			size = cr_dwarf_type_size(d, type);
			if (*offset - at < CR_MAX(size, 1u)) {
				*offset -= at;
				return true;
			}
		}
		rc = dwarf_siblingof(member, member);
	}
	return false;
}

void
cr_dwarf_type_member(const struct cr_dwarf *d, Dwarf_Die *type, uint64_t *offset, uint64_t *budget,
	struct cr_text *path)
{
	for (int depth = 0; depth < MAX_CHAIN && *budget; depth++) {
		Dwarf_Die member, next;
		const char *name;
		uint64_t size;

		cr_dwarf_type_peel(d, type);
		switch (dwarf_tag(type)) {
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
		case DW_TAG_union_type:
			if (!member_find(d, type, offset, budget, &member, &next))
				return;
			name = own_name(d, &member);
			if (name && dwarf_tag(&member) == DW_TAG_member) {
				cr_text_puts(path, path->len ? "." : "");
				put_own_name(name, path);
			}
			break;
		case DW_TAG_array_type:
			if (!cr_dwarf_type_of(d, type, &next) ||
				(size = cr_dwarf_type_size(d, &next)) == 0)
				return;
			*offset %= size;
			cr_text_puts(path, "[]");
			break;
		default: return;
		}
		*type = next;
	}
}

/* ---- the only place of an access */

struct places {
	const struct cr_dwarf *d;
	unsigned bytes;
	uint64_t *budget;
	uint64_t offset; /* of the first */
	unsigned n;      /* at most 2: more make no difference */
};

static void
add_places(struct places *p, const Dwarf_Die *type, uint64_t offset, int depth)
{
	Dwarf_Die at = *type, next, member;
	uint64_t from;
	int rc;

	cr_dwarf_type_peel(p->d, &at);
	if (depth == MAX_CHAIN || !*p->budget)
		p->n = 2; /* unknown, so no place is the only one */
	switch (p->n == 2 ? DW_TAG_unspecified_type : dwarf_tag(&at)) {
	case DW_TAG_array_type:
		if (cr_dwarf_type_of(p->d, &at, &next))
			add_places(p, &next, offset, depth + 1);
		return;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type: break;
	case DW_TAG_unspecified_type: return;
	default:
		if (cr_dwarf_type_size(p->d, &at) != p->bytes)
			return;
		p->offset = p->n ? p->offset : offset;
		p->n++;
		return;
	}
	rc = dwarf_child(&at, &member);
	for (; rc == 0 && p->n < 2 && *p->budget; --*p->budget) {
		if (is_member(&member) && member_offset(&member, &from) &&
			from <= UINT64_MAX - offset && cr_dwarf_type_of(p->d, &member, &next))
			add_places(p, &next, offset + from, depth + 1);
		rc = dwarf_siblingof(&member, &member);
	}
}

bool
cr_dwarf_type_only(const struct cr_dwarf *d, const Dwarf_Die *type, unsigned bytes,
	uint64_t *budget, uint64_t *offset)
{
	struct places p = {.d = d, .bytes = bytes, .budget = budget};

	add_places(&p, type, 0, 0);
	*offset = p.offset;
	return p.n == 1;
}
