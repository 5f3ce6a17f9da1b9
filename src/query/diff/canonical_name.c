#include "query/diff/canonical_name.h"

#include "base/mem.h"

#include <string.h>

static bool
is_digits(struct cr_str s)
{
	for (uint32_t i = 0; i < s.len; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.len > 0;
}

static bool
is_hex16(const char *p)
{
	for (int i = 0; i < 16; i++)
		if (!((p[i] >= '0' && p[i] <= '9') || (p[i] >= 'a' && p[i] <= 'f')))
			return false;
	return true;
}

/*
 * Remove one suffix: ".isra.0", ".constprop.0", ".part.1", ".cold", ".cold.3", ".llvm.1234",
 * ".lto_priv.0", or a Rust hash.
 */
static bool
cut_suffix(struct cr_str *name)
{
	static const char *const words[] = {
		".isra", ".constprop", ".part", ".cold", ".llvm", ".lto_priv"};
	const char *dot = name->len ? memrchr(name->p, '.', name->len) : NULL;
	struct cr_str head = *name;

	if (name->len > 19 && memcmp(name->p + name->len - 19, "::h", 3) == 0 &&
		is_hex16(name->p + name->len - 16)) {
		name->len -= 19;
		return true;
	}
	if (!dot)
		return false;
	if (is_digits((struct cr_str){dot + 1, (uint32_t)(name->p + name->len - dot - 1)}))
		head.len = (uint32_t)(dot - name->p);
	for (size_t i = 0; i < CR_LEN(words); i++)
		if (cr_str_ends(head, words[i]) && head.len > strlen(words[i])) {
			name->len = head.len - (uint32_t)strlen(words[i]);
			return true;
		}
	return false;
}

/* "f(int) [clone .isra.0]": a demangled suffix. */
static bool
cut_clone(struct cr_str *name)
{
	const char *at;

	if (!name->len || name->p[name->len - 1] != ']')
		return false;
	at = memmem(name->p, name->len, " [clone .", 9);
	if (!at || at == name->p)
		return false;
	name->len = (uint32_t)(at - name->p);
	return true;
}

struct cr_str
cr_canonical_name(struct cr_str name)
{
	while (cut_clone(&name) || cut_suffix(&name))
		;
	return name;
}
