package claims

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
)

// rawWatch is what a raw watch of a second put on the wire: the header, the chunks' bodies, and all of it as lines.
type rawWatch struct {
	header []string
	lines  []string // of the body, as they came, line ends included
	chunks []string
	took   time.Duration
	after  []string // the header of a second response on the same socket
}

// raw opens a TLS socket, watches for a second, makes two writes meanwhile, and sends a second request on the socket.
func raw(t *testing.T, f *fixture) (r rawWatch) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	version := f.create("a", nil)
	config := f.TLS.Clone()
	config.NextProtos = []string{"http/1.1"}
	if config.ServerName == "" {
		config.ServerName = f.Server.Hostname()
	}
	conn, err := (&tls.Dialer{Config: config}).DialContext(ctx, "tcp", f.Server.Host)
	require.NoError(t, err)
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	auth := ""
	if f.Token != "" {
		auth = "Authorization: Bearer " + f.Token + "\r\n"
	}
	in := bufio.NewReader(conn)
	readLine := func() string {
		line, err := in.ReadString('\n')
		require.NoError(t, err)
		return line
	}
	start := time.Now()
	fmt.Fprintf(conn, "GET %s%s?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%%3Da&resourceVersion=%s "+
		"HTTP/1.1\r\nHost: %s\r\n%s\r\n",
		f.Server.Path, f.path, version, f.Server.Host, auth)
	for l := readLine(); l != "\r\n"; l = readLine() {
		r.header = append(r.header, l)
	}
	f.label("a", "tea")
	f.label("a", "coffee")
	for {
		size := readLine()
		n, err := strconv.ParseInt(strings.TrimSuffix(size, "\r\n"), 16, 64)
		require.NoError(t, err, "a line before a chunk is its length in hexadecimal")
		body := make([]byte, n)
		_, err = io.ReadFull(in, body)
		require.NoError(t, err)
		r.lines = append(r.lines, size, string(body), readLine())
		r.chunks = append(r.chunks, string(body))
		if n == 0 {
			break
		}
	}
	r.took = time.Since(start)
	fmt.Fprintf(conn, "GET %s/readyz HTTP/1.1\r\nHost: %s\r\n%s\r\n", f.Server.Path, f.Server.Host, auth)
	for l := readLine(); l != "\r\n"; l = readLine() {
		r.after = append(r.after, l)
	}
	return r
}

// What is often printed as "the bytes on the wire" leaves out the chunks' lengths. They are there, each with its line
// end around the event's own newline.
//
// covers: B-07 S3-18 S3-24
func TestTheBytesHaveChunkSizes(t *testing.T) {
	t.Parallel()
	r := raw(t, setup(t))
	require.Equal(t, "HTTP/1.1 200 OK\r\n", r.header[0])
	require.Contains(t, r.header, "Content-Type: application/json\r\n")
	require.Contains(t, r.header, "Transfer-Encoding: chunked\r\n")
	require.NotContains(t, strings.Join(r.header, ""), "Content-Length")

	require.False(t, strings.HasPrefix(r.lines[0], "{"), "the first line after the header is no JSON")
	require.Equal(t, fmt.Sprintf("%x\r\n", len(r.lines[1])), r.lines[0])
	require.Equal(t, "\r\n", r.lines[2])
	for _, chunk := range r.chunks[:2] { // the two writes
		require.True(t, strings.HasSuffix(chunk, "}\n"))
		require.Equal(t, 1, strings.Count(chunk, "\n"), "one document a line")
		require.True(t, json.Valid([]byte(chunk)))
	}
}

// "The server never sends the chunk of length zero" and "the connection is closed at the end": neither. The watch ends
// as any response does, and the socket takes the next request.
//
// covers: B-08 B-09 S3-25 S3-28
func TestAWatchEndsAndItsConnectionStays(t *testing.T) {
	t.Parallel()
	r := raw(t, setup(t))
	require.Equal(t, []string{"0\r\n", "", "\r\n"}, r.lines[len(r.lines)-3:], "the last chunk is the empty one")
	require.GreaterOrEqual(t, r.took, time.Second, "timeoutSeconds=1 is kept")
	require.Less(t, r.took, 10*time.Second)
	require.Equal(t, "HTTP/1.1 200 OK\r\n", r.after[0], "the same socket answers")
	require.Contains(t, r.after, "Content-Length: 2\r\n", "a response whose size is known says so")
}

// Chunks do not mark a watch: an ordinary list comes in chunks, too, when it is larger than the server's buffer.
//
// covers: S3-28
func TestALargeListIsChunkedToo(t *testing.T) {
	f := setup(t)
	big := tea("big", nil)
	big["data"] = object{"x": strings.Repeat("x", 20_000)}
	f.Must(http.MethodPost, f.path, big, nil)
	client := f.http1(t)
	list := f.get(t, client, f.path)
	require.Equal(t, []string{"chunked"}, list.TransferEncoding)
	require.EqualValues(t, -1, list.ContentLength)
	small := f.get(t, client, f.path+"?fieldSelector=metadata.name%3Dnone")
	require.Empty(t, small.TransferEncoding)
	require.Positive(t, small.ContentLength)
}

// A client that reads to the end first sees nothing until the watch is over. One that reads event by event has each
// when it happens; a reader with a limit for lines fails at the first object that is larger.
//
// covers: S3-27
func TestReadEventByEvent(t *testing.T) {
	t.Parallel()
	f := setup(t)
	start := time.Now()
	all := f.get(t, f.HTTPClient(), f.path+"?watch=true&timeoutSeconds=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan")
	stream := f.watch(t, watch.Options{})
	f.create("a", nil)
	require.Equal(t, []string{"ADDED a"}, events(t, stream, 1)) // this watch has no end in sight
	body, err := io.ReadAll(all.Body)
	require.NoError(t, err)
	require.GreaterOrEqual(t, time.Since(start), time.Second, "ReadAll returned with the end of the watch")
	require.Contains(t, string(body), `"type":"ADDED"`, "though the event had been there since the write")

	big := tea("big", nil)
	big["data"] = object{"x": strings.Repeat("x", 100_000)}
	f.Must(http.MethodPost, f.path, big, nil)
	require.Equal(t, []string{"ADDED big"}, events(t, stream, 1))
	lines := bufio.NewScanner(f.get(t, f.HTTPClient(), f.path+"?watch=true&fieldSelector=metadata.name%3Dbig").Body)
	require.False(t, lines.Scan())
	require.ErrorIs(t, lines.Err(), bufio.ErrTooLong, "bufio.Scanner's lines end at 64 KB")
}

// An HTTP client with a timeout cuts a watch that works: its clock runs until the body has been read. In the request,
// timeoutSeconds makes the server end it, which is no error.
//
// covers: S3-25
func TestWhoseTimeout(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.create("a", nil)
	impatient := *f.HTTPClient()
	impatient.Timeout = time.Second
	resp, err := impatient.Get(f.Server.String() + f.path + "?watch=true&timeoutSeconds=15")
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.ErrorContains(t, err, "Client.Timeout")
	require.True(t, bytes.HasPrefix(body, []byte(`{"type":"ADDED"`)), "the watch was fine")

	ends := f.get(t, f.HTTPClient(), f.path+"?watch=true&timeoutSeconds=1")
	_, err = io.ReadAll(ends.Body)
	require.NoError(t, err)
}
