package faultserver

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// clientFrame is a frame as a client sends it: masked.
func clientFrame(kind byte, said string) []byte {
	frame := frameHead(kind, len(said))
	frame[1] |= 0x80
	mask := []byte{1, 2, 3, 4}
	frame = append(frame, mask...)
	for i := range len(said) {
		frame = append(frame, said[i]^mask[i%len(mask)])
	}
	return frame
}

// serverFrame reads a frame as a client does, also one that breaks off: then err is not nil.
func serverFrame(r *bufio.Reader) (kind byte, said string, err error) {
	head := make([]byte, 2)
	if _, err := io.ReadFull(r, head); err != nil {
		return 0, "", err
	}
	length := uint64(head[1])
	switch length {
	case 126:
		var n uint16
		err = binary.Read(r, binary.BigEndian, &n)
		length = uint64(n)
	case 127:
		err = binary.Read(r, binary.BigEndian, &length)
	}
	if err != nil {
		return 0, "", err
	}
	var b strings.Builder
	_, err = io.CopyN(&b, r, int64(length))
	return head[0], b.String(), err
}

func TestFramesOfEachLength(t *testing.T) {
	for _, length := range []int{0, 1, 125, 126, 65535, 65536, 1 << 20} {
		said := strings.Repeat("x", length)
		kind, got, err := serverFrame(bufio.NewReader(bytes.NewReader(append(frameHead(textFrame, length), said...))))
		require.NoError(t, err)
		require.Equal(t, byte(0x80|textFrame), kind, "a message in one frame")
		require.Equal(t, said, got)

		r := bufio.NewReader(bytes.NewReader(append(clientFrame(textFrame, said), clientFrame(pingFrame, "hello")...)))
		kind, _, err = readFrame(r)
		require.NoError(t, err)
		require.Equal(t, byte(textFrame), kind)
		kind, payload, err := readFrame(r)
		require.NoError(t, err, "a message is skipped whole")
		require.Equal(t, byte(pingFrame), kind)
		require.Equal(t, "hello", string(payload))
	}
}

func TestFramesThatNoClientSends(t *testing.T) {
	for name, frame := range map[string][]byte{
		"not masked":             append(frameHead(textFrame, 2), "no"...),
		"a long ping":            clientFrame(pingFrame, strings.Repeat("x", 126)),
		"a length below nothing": append([]byte{0x81, 0xFF}, bytes.Repeat([]byte{0xFF}, 12)...),
	} {
		_, _, err := readFrame(bufio.NewReader(bytes.NewReader(frame)))
		require.ErrorIs(t, err, errNoFrame, name)
	}
	whole := clientFrame(closeFrame, "\x03\xe8")
	for n := range len(whole) {
		_, _, err := readFrame(bufio.NewReader(bytes.NewReader(whole[:n])))
		require.Error(t, err, "it breaks off")
	}
}

func FuzzReadFrame(f *testing.F) {
	f.Add(clientFrame(textFrame, "hello"))
	f.Add(clientFrame(closeFrame, "\x03\xe8"))
	f.Fuzz(func(t *testing.T, input []byte) {
		r := bufio.NewReader(bytes.NewReader(input))
		for {
			if _, said, err := readFrame(r); err != nil {
				return
			} else if len(said) > 125 {
				t.Fatal("a control frame is short")
			}
		}
	})
}
