// Exceptions through frames with and without something to clean up, and virtual calls.
#include <exception>
#include <typeinfo>

#define NOINLINE __attribute__((noinline))

namespace
{

volatile unsigned sink;

struct failure : std::exception {
	unsigned depth;

	explicit failure(unsigned d) : depth(d) {}
	const char *what() const noexcept override { return "failure"; }
};

struct guard {
	unsigned n;

	explicit guard(unsigned v) : n(v) { sink += v; }
	NOINLINE ~guard() { sink -= n; }
};

NOINLINE unsigned
descend(unsigned n)
{
	guard g(n);

	if (n == 0)
		throw failure(n);
	return descend(n - 1) + g.n;
}

NOINLINE unsigned
plain(unsigned n)
{
	return n == 0 ? throw 7 : plain(n - 1) + 1;
}

NOINLINE unsigned
again(unsigned n)
{
	try {
		return descend(n);
	} catch (const failure &f) {
		guard g(f.depth);

		if (n % 2)
			throw;
		return f.depth + static_cast<unsigned>(f.what()[0]);
	}
}

NOINLINE void
stops(unsigned n) noexcept
{
	try {
		again(n);
	} catch (...) {
		sink++;
	}
}

struct shape {
	virtual ~shape() {}
	virtual unsigned area(unsigned n) = 0;
};

template <unsigned N>
struct square : shape {
	unsigned area(unsigned n) override
	{
		return n ? N * n + square<(N * 3 + 1) % 4>().area(n - 1) : N;
	}
};

struct ending {
	~ending() { sink++; }
} at_the_end;

NOINLINE unsigned
call(shape &s, unsigned n)
{
	return s.area(n) + 1;
}

} // namespace

int
main()
{
	unsigned sum = 0;

	for (unsigned n = 3; n < 4; n++) {
		try {
			sum += again(n);
		} catch (const std::exception &e) {
			sum += e.what()[0] == 'f';
		}
		try {
			sum += plain(n);
		} catch (int v) {
			sum += static_cast<unsigned>(v);
		}
		stops(n + 1);
		square<1> s;
		shape *made = new square<2>;
		sum += call(s, n) + call(*made, n);
		delete made;
	}
	return sum == 0;
}
