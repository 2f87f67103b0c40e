package watch

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A stream that breaks must never look like one that ended:
// whoever takes a cut for the end believes that it has seen all.

func TestCutAtEveryByteOfTheStream(t *testing.T) {
	lines := []string{line(Added, "a"), line(Modified, "a"), line(Deleted, "a")}
	stream := strings.Join(lines, "")
	for at := range len(stream) + 1 {
		events, err := drain(NewDecoder(strings.NewReader(stream[:at])))
		whole, between := 0, false // how many events are complete, and whether the cut is between two
		for end, i := 0, 0; i <= len(lines); i++ {
			if at == end || at == end-1 && i > 0 { // before or after an event's newline
				between = true
			}
			if i < len(lines) {
				end += len(lines[i])
				if at >= end-1 {
					whole++
				}
			}
		}
		require.Len(t, events, whole, "cut at %d", at)
		if between {
			require.Equal(t, io.EOF, err, "cut at %d", at)
		} else {
			require.ErrorIs(t, err, io.ErrUnexpectedEOF, "cut at %d: inside an event", at)
		}
	}
}

// Over HTTP/1.1 even a cut between two events shows: the chunk of length zero is missing.
func TestCutAtEveryByteOfTheResponse(t *testing.T) {
	var b strings.Builder
	b.WriteString("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
	header := b.Len()
	for _, l := range []string{line(Added, "a"), line(Modified, "a"), line(Deleted, "a")} {
		fmt.Fprintf(&b, "%x\r\n%s\r\n", len(l), l)
	}
	b.WriteString("0\r\n\r\n")
	response := b.String()
	for at := header; at <= len(response); at++ {
		resp, err := http.ReadResponse(bufio.NewReader(strings.NewReader(response[:at])), nil)
		require.NoError(t, err)
		s := newStream(resp)
		_, err = drain(s.decoder)
		switch zero := len(response) - len("0\r\n\r\n"); {
		case at == len(response):
			require.Equal(t, io.EOF, err, "the whole response")
		case at <= zero:
			require.ErrorIs(t, err, io.ErrUnexpectedEOF, "cut at %d, before the last chunk", at)
		default: // inside the last chunk, where net/http has errors of its own
			require.NotErrorIs(t, err, io.EOF, "cut at %d of %d", at, len(response))
		}
	}
}
