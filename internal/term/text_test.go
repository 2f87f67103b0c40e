package term

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWrap(t *testing.T) {
	assert.Equal(t, []string{"one two", "three"}, Wrap("one two  three", 7))
	assert.Equal(t, []string{"one two", "three"}, Wrap("one\ttwo three\n\n", 9)[:2])
	assert.Equal(t, []string{"a", "b c"}, Wrap("a\nb c", 80), "a line break stays")
	assert.Equal(t, []string{"a", "https://example.com/long", "b"}, Wrap("a https://example.com/long b", 5))
	assert.Equal(t, []string{"ä ö", "ü"}, Wrap("ä ö ü", 3), "runes are counted, not bytes")
	assert.Empty(t, Wrap(" \n", 5))
}

func TestClip(t *testing.T) {
	assert.Equal(t, "äöü", Clip("äöü", 3))
	assert.Equal(t, "äö…", Clip("äöüß", 3))
}

func TestPrintable(t *testing.T) {
	assert.Equal(t, "a\uFFFD[31mb\n\tc\uFFFD", Printable("a\x1b[31mb\n\tc\u202e"))
}
