package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// rawResponse is step 3, which is told whether to print every byte of the response.
type rawResponse struct{ everyByte bool }

// watch speaks HTTP/1.1 by hand on a TLS socket, so that nothing stands between the reader and the bytes.
func (r *rawResponse) watch(ctx context.Context, l *lab.Lab) error {
	conn, err := dial(ctx, l)
	if err != nil {
		return err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() }) // a Read knows no context: closing wakes it
	defer stop()
	version, err := newest(ctx, l)
	if err != nil {
		return err
	}
	received := bufio.NewReader(conn)
	start := time.Now()
	if err := ask(l, conn, configMaps(l)+"?watch=true&timeoutSeconds=1&resourceVersion="+version); err != nil {
		return err
	}
	if err := r.header(l, received, "Content-Type", "Transfer-Encoding"); err != nil {
		return err
	}
	for _, cups := range []string{"2", "3"} {
		if err := aloud(l).patch(ctx, "green", object{"data": object{"cups": cups}}); err != nil {
			return err
		}
		if _, err := r.chunk(l, received); err != nil {
			return err
		}
	}
	for {
		size, err := r.chunk(l, received)
		if err != nil {
			return err
		}
		if size == 0 {
			break
		}
	}
	l.Conclude("%.1f s after the request a chunk of length 0: the response is complete. The same socket again:",
		time.Since(start).Seconds())
	if err := ask(l, conn, "/readyz"); err != nil {
		return err
	}
	if err := r.header(l, received, "Content-Length"); err != nil {
		return err
	}
	l.Conclude("A watch ends like any response, and its connection stays. No zero chunk: it was cut.")
	return nil
}

// dial opens a TLS connection on which the two sides agree on HTTP/1.1.
func dial(ctx context.Context, l *lab.Lab) (*tls.Conn, error) {
	config := l.TLS.Clone()
	config.NextProtos = []string{"http/1.1"}
	if config.ServerName == "" {
		config.ServerName = l.Server.Hostname()
	}
	conn, err := (&tls.Dialer{Config: config}).DialContext(ctx, "tcp", l.Server.Host)
	if err != nil {
		return nil, err
	}
	return conn.(*tls.Conn), nil
}

// ask writes a GET. The empty line is the end of the request.
func ask(l *lab.Lab, conn io.Writer, path string) error {
	request := "GET " + l.Server.Path + path + " HTTP/1.1\r\nHost: " + l.Server.Host + "\r\n"
	show(l.Sent, request, true)
	if l.Token != "" {
		request += "Authorization: Bearer " + l.Token + "\r\n" // not shown: it is the key to the cluster
	}
	_, err := io.WriteString(conn, request+"\r\n")
	return err
}

// header reads a response's header to its empty line, and shows the status and the named fields, or everything.
func (r *rawResponse) header(l *lab.Lab, received *bufio.Reader, fields ...string) error {
	status := true // the first line
	for {
		line, err := received.ReadString('\n')
		if err != nil {
			return err
		}
		name, _, _ := strings.Cut(line, ":")
		if r.everyByte || status || slices.Contains(fields, name) {
			show(l.Wire, line, r.everyByte)
		}
		if line == "\r\n" {
			return nil
		}
		status = false
	}
}

// chunk reads a chunk: its length in hexadecimal, that many bytes, and a line end that belongs to neither. It returns
// the length, which is 0 for the last chunk.
func (r *rawResponse) chunk(l *lab.Lab, received *bufio.Reader) (size int64, err error) {
	line, err := received.ReadString('\n')
	if err != nil {
		return 0, err
	}
	size, err = strconv.ParseInt(strings.TrimSpace(line), 16, 64)
	if err != nil {
		return 0, fmt.Errorf("the line %q is no chunk's length: %w", line, err)
	}
	body := make([]byte, size+2)
	if _, err := io.ReadFull(received, body); err != nil {
		return 0, err
	}
	show(l.Wire, line, r.everyByte)
	if size > 0 {
		show(l.Wire, string(body[:size]), r.everyByte)
	}
	show(l.Wire, string(body[size:]), r.everyByte)
	return size, nil
}

// show prints bytes line by line, with their line ends made visible: whole, or cut to one line of the page.
func show(print func(format string, args ...any), bytes string, whole bool) {
	for line := range strings.Lines(bytes) {
		quoted := strconv.Quote(line)
		quoted = strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
		for whole && len(quoted) > lab.Columns {
			end := strings.LastIndexAny(quoted[:lab.Columns], ",&") + 1
			if end == 0 {
				end = lab.Columns
			}
			print("%s", quoted[:end])
			quoted = quoted[end:]
		}
		print("%s", quoted)
	}
}
