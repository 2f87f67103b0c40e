package symptoms

// An index finds in a text the pieces whose anchor stands in it, whatever the case of its letters.
type index struct {
	begins map[uint32][]anchored // by the beginning of the anchor
	may    [1 << 18 / 64]uint64  // a bit for each beginning, which says fast that no anchor has it
}

type anchored struct {
	anchor string
	*piece
}

func newIndex() *index {
	return &index{begins: map[uint32][]anchored{}}
}

// beginning adds a byte to the three, of each six bits, that an anchor begins with.
func beginning(key uint32, b byte) uint32 { return (key<<6 | uint32(lower[b]&0x3f)) & (1<<18 - 1) }

// add adds a piece. An anchor has three bytes at least, and is in lower case.
func (x *index) add(anchor string, p *piece) {
	key := beginning(beginning(beginning(0, anchor[0]), anchor[1]), anchor[2])
	x.begins[key] = append(x.begins[key], anchored{anchor, p})
	x.may[key/64] |= 1 << (key % 64)
}

// each calls found for each place where an anchor stands.
func (x *index) each(text []byte, found func(p *piece, at int)) {
	var key uint32
	for i, b := range text {
		key = beginning(key, b)
		if i < 2 || x.may[key/64]&(1<<(key%64)) == 0 {
			continue
		}
		for _, a := range x.begins[key] {
			if beginsWith(text[i-2:], a.anchor) {
				found(a.piece, i-2)
			}
		}
	}
}

func beginsWith(text []byte, anchor string) bool {
	if len(text) < len(anchor) {
		return false
	}
	for i := range len(anchor) {
		if lower[text[i]] != anchor[i] {
			return false
		}
	}
	return true
}

// lower has the small letter for each capital of ASCII, so that a text keeps its length.
var lower = func() (table [256]byte) {
	for i := range table {
		table[i] = byte(i)
		if 'A' <= i && i <= 'Z' {
			table[i] += 'a' - 'A'
		}
	}
	return table
}()
