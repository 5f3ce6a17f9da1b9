#!/usr/bin/env python3
# Writes stores with right checksums that ask for too much, or whose zones lie, into a directory:
#	tests/tools/make-bad-stores.py tests/fixtures
# Needs python3-xxhash and python3-zstandard.
import struct, sys, xxhash, zstandard
H=lambda b: xxhash.xxh3_64_intdigest(b)
def zc(raw, level=3):
    s=zstandard.ZstdCompressor(level=level).compress(raw)
    return s if len(s)<len(raw) else raw
def col(values=None, n=None, const=None, coding=0, base=0, width=None):
    if const is not None: return struct.pack('<BBQ',0,0,const&(2**64-1))
    base=0; m=max(values) if values else 0
    w=(m.bit_length()+7)//8
    return struct.pack('<BBQ',0,w,0)+b''.join(bytes((v>>(8*k))&255 for v in values) for k in range(w))
def raw_col(coding,width,base,planes=b''): return struct.pack('<BBQ',coding,width,base&(2**64-1))+planes
def text(b): return struct.pack('<I',len(b))+b
class Block:
    def __init__(s, raw, rows, stored=None): s.raw=raw; s.rows=rows; s.stored=zc(raw) if stored is None else stored; s.raw_bytes=len(raw)
class Store:
    def __init__(s): s.sec=[]   # (id, version, [Block])
    def add(s,id,blocks,version=1): s.sec.append((id,version,blocks)); return s
    def bytes(s):
        head=b'\x89CRS\r\n\x1a\n'+struct.pack('<II',1,0); out=head+struct.pack('<Q',H(head))
        parts=[out]; at=len(out); d=[struct.pack('<I',len(s.sec))]
        for id,v,bl in s.sec:
            d.append(struct.pack('<IIQI',id,v,sum(b.rows for b in bl),len(bl)))
            for k,b in enumerate(bl):
                h=struct.pack('<QQIIIII',H(b.stored),at,id,k,len(b.stored),b.raw_bytes,b.rows)
                d.append(struct.pack('<QQIII',at,H(h),len(b.stored),b.raw_bytes,b.rows))
                parts.append(b.stored); at+=len(b.stored)
        D=b''.join(d); t=struct.pack('<QQQ',at,len(D),H(D))
        parts+= [D,t,struct.pack('<Q',H(t)),b'crs-end\n']
        return b''.join(parts)
def summary(flags=1|4|16, spaces=1, facts=(), events=((b'cycles',b'cycles',1,1),)):
    r=struct.pack('<III',flags,spaces,len(facts))+b''.join(text(k)+text(v) for k,v in facts)+struct.pack('<I',len(events))
    r+=b''.join(text(n)+text(u)+struct.pack('<QQ',s,w) for n,u,s,w in events)
    return Block(r,1)
def names(strs):
    return [Block(col([len(x) for x in ch])+b''.join(ch),len(ch)) for ch in [strs[i:i+65536] for i in range(0,len(strs),65536)]]
def table(rows, *cols):  # cols: bytes from col()
    return Block(b''.join(cols),rows)
def consts(total, blockfn):
    out=[]; 
    while total>0:
        n=min(total,65536); out.append(blockfn(n)); total-=n
    return out
def minimal(strs=(b'',b'f',b'comm',b'/bin/x'), samples=1, **kw):
    ev=kw.pop('events',((b'cycles',b'cycles',samples,samples),))
    s=Store()
    s.add(1,[summary(events=ev,**kw)]); s.add(2,names(list(strs)))
    s.add(3,[table(1,col([0]),col(const=0),col(const=0),*[col(const=0)]*20)])      # objects
    s.add(4,[table(2,col([0,1]),col(const=0),col(const=0),col(const=0),col(const=0),col([0,0x1000]))]) # functions
    s.add(5,[table(1,col([7]),col([7]),col([2]),col(const=0))])                    # threads
    s.add(9,[])
    s.add(10,[table(1,col([0x1000]),col(const=0),col(const=0),col([1]),col(const=0))]) # locations
    s.add(11,[table(1,col([1]),col([0]))])
    s.add(13,[])
    s.add(31,[table(2,col(const=0),col(const=0))])   # tree: root, node
    s.add(32,[table(1,col([1]),col([0]))])
    n=samples
    s.add(19,[table((n+65535)//65536, *sum(([col(const=a),col(const=b)] for a,b in ((5,5),(1,1),(0,0),(1,1),(0,0),(0,0))),[]))] if n else [])
    for id,c in ((20,5),(21,1),(22,0),(23,1),(24,0),(25,0)):
        s.add(id,consts(n,lambda k:table(k,col(const=c))))
    return s
def get(s,id):
    for i,(a,v,b) in enumerate(s.sec):
        if a==id: return i
def put(s,id,blocks,version=1):
    i=get(s,id)
    if i is None: s.add(id,blocks,version)
    else: s.sec[i]=(id,version,blocks)
    return s


def write(name, store):
    open(sys.argv[1] + '/bad-' + name + '.cresset', 'wb').write(store.bytes())


def pairs(*of):
    return sum(([col(const=a), col(const=b)] for a, b in of), [])


# 65,536 events of the name of the sum, and a list of parts as long.
s = minimal(events=[(b'wall', b'ns', 0, 0)] * 65535 + [(b'cycles', b'cycles', 1, 1)],
            facts=[(b'x%d' % i, b'') for i in range(20000)] + [(b'wall', b'cycles + ' * 2 + b'e')])
put(s, 25, [table(1, col(const=65535))])
put(s, 19, [table(1, *pairs((5, 5), (1, 1), (0, 0), (1, 1), (0, 0), (65535, 65535)))])
write('many-walls', s)

# Two million kinds of missing data.
s = minimal()
put(s, 9, consts(2000000, lambda n: Block((text(b'') + struct.pack('<Q', 1)) * n, n)))
write('many-lacks', s)

# Four billion address spaces, and one thread in one of them.
write('many-spaces', minimal(spaces=0xffffffff))

# 100,000 facts about 20,000 events.
write('many-facts', minimal(events=[(b'cycles', b'cycles', 1, 1)] + [(b'e%d' % i, b'u', 0, 0) for i in range(19999)],
                            facts=[(b'', b'')] * 100000 + [(b'summed events', b'zz')]))


# Weights of 1, 1 and 98, and a zone that says that all are 1.
s = minimal(samples=3, strs=(b'', b'f', b'comm', b'/bin/x', b'g'), events=((b'cycles', b'cycles', 3, 100),))
put(s, 4, [table(3, col([0, 1, 4]), *[col(const=0)] * 4, col([0, 0x1000, 0x2000]))])
put(s, 10, [table(2, col([0x1000, 0x2000]), col(const=0), col([0, 1]), col([1, 1]), col(const=0))])
put(s, 11, [table(2, col([1, 2]), col([0, 0]))])
put(s, 31, [table(3, col([0, 0, 1]), col([0, 0, 1]))])
put(s, 32, [table(2, col([2, 2]), col([0, 1]))])
put(s, 23, [table(3, col([1, 1, 2]))])
put(s, 21, [table(3, col([1, 1, 98]))])
put(s, 20, [table(3, col([5, 6, 7]))])
put(s, 19, [table(1, *sum(([col([a]), col([b])] for a, b in ((5, 7), (1, 1), (0, 0), (1, 2), (0, 0), (0, 0))), []))])
write('zone-weights', s)

# The same samples and zones that are right; an outline that gives f what g has cost, and adds up.
put(s, 19, [table(1, *sum(([col([a]), col([b])] for a, b in ((5, 7), (1, 98), (0, 0), (1, 2), (0, 0), (0, 0))), []))])
put(s, 6, [table(4, col([0, 0, 2, 3]), col([0, 2, 0, 0]))])
put(s, 7, [table(4, col([0, 1, 1, 2]), col([0, 1, 2, 3]))])
put(s, 8, [table(4, col([0, 0, 98, 2]), col([0, 0, 1, 2]))])
write('outline', s)

# 65,540 locations of 65,535 lines, all of which share them: more lines than 32 bits count.
s = minimal()
n = 65540
put(s, 11, [table(65535, col(const=1), col(const=0))])
put(s, 10, [table(k, col(list(range(at, at + k))), col(const=0), col(const=0),
                  col([65535 if at + i > 1 else 1 for i in range(k)]), col(const=0)) for at, k in ((0, 65536), (65536, n - 65536))])
put(s, 32, [table(1, col([n]), col([0]))])
write('shared-lines', s)

# Ten million samples in 36 KB: more than a store of this size may unpack, once the last column is added.
n = 10000000
s = minimal(events=((b'cycles', b'cycles', n, n),))
put(s, 19, consts((n + 65535) // 65536, lambda k: table(k, *pairs((5, 5), (1, 1), (0, 0), (1, 1), (0, 0), (0, 0)))))
for id, c in ((20, 5), (21, 1), (22, 0), (23, 1), (24, 0), (25, 0)):
    put(s, id, consts(n, lambda k: table(k, col(const=c))))
write('many-samples', s)
