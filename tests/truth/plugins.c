/* Code that comes and goes while the program runs, another at the place of the first. */
#include <dlfcn.h>
#include <stdio.h>

static volatile unsigned sink;

static unsigned
called_back(unsigned n)
{
	return n + sink;
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		void *h = dlopen(argv[i], i % 2 ? RTLD_LAZY : RTLD_NOW);
		unsigned (*run)(unsigned, unsigned (*)(unsigned));

		if (!h) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		*(void **)&run = dlsym(h, "plugin_run");
		sink += run((unsigned)i * 3, called_back);
		dlclose(h);
	}
	return 0;
}
