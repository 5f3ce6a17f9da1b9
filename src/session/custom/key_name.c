#include "session/key.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <string.h>

static const struct {
	uint32_t key;
	const char *name;
} names[] = {
	{CR_KEY_UP, "Up"},
	{CR_KEY_DOWN, "Down"},
	{CR_KEY_LEFT, "Left"},
	{CR_KEY_RIGHT, "Right"},
	{CR_KEY_HOME, "Home"},
	{CR_KEY_END, "End"},
	{CR_KEY_PGUP, "PgUp"},
	{CR_KEY_PGDN, "PgDn"},
	{CR_KEY_ENTER, "Enter"},
	{CR_KEY_ESC, "Esc"},
	{CR_KEY_BACKSPACE, "Backspace"},
	{CR_KEY_DELETE, "Del"},
	{CR_KEY_TAB, "Tab"},
	{CR_KEY_BACKTAB, "Shift-Tab"},
	{CR_KEY_F1, "F1"},
	{CR_KEY_INTERRUPT, "Ctrl-C"},
	{' ', "Space"},
	{CR_KEY_INSERT, "Insert"},
	{CR_KEY_OTHER, "this key"},
};

void
cr_key_put_name(uint32_t key, struct cr_text *out)
{
	char utf8[4];

	for (size_t i = 0; i < CR_LEN(names); i++) {
		if (names[i].key != key)
			continue;
		cr_text_puts(out, names[i].name);
		return;
	}
	if (key > CR_KEY_F1 && key <= CR_KEY_F12)
		cr_text_printf(out, "F%d", (int)(key - CR_KEY_F1) + 1);
	else if (key < 32)
		cr_text_printf(out, "Ctrl-%c", (int)key + 'A' - 1);
	else
		cr_text_put(out, utf8, cr_utf8_encode(key, utf8));
}

static bool
is_named(uint32_t key, const char *name)
{
	struct cr_text t = {0};
	bool same;

	cr_key_put_name(key, &t);
	same = strcmp(t.p, name) == 0;
	cr_text_fini(&t);
	return same;
}

uint32_t
cr_key_of_name(const char *name)
{
	const size_t len = strlen(name);
	unsigned used;
	uint32_t ch;

	if (!len)
		return 0;
	ch = cr_utf8_decode(name, len, &used);
	if (used == len)
		return ch > 32 && ch != 127 ? ch : 0;
	for (uint32_t key = 1; key < 32; key++)
		if (is_named(key, name))
			return key;
	for (uint32_t key = CR_KEY_F1; key <= CR_KEY_F12; key++)
		if (is_named(key, name))
			return key;
	for (size_t i = 0; i < CR_LEN(names); i++)
		if (names[i].key != CR_KEY_OTHER && strcmp(names[i].name, name) == 0)
			return names[i].key;
	return 0;
}
