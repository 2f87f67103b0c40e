package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// http2 is step 4: what belongs to a watch, and what only to HTTP/1.1.
func http2(ctx context.Context, l *lab.Lab) error {
	rows := [][]string{{"", "protocol", "Transfer-Encoding", "first event", "connections for 2 watches"}}
	for _, version := range []string{"HTTP/1.1", "HTTP/2"} {
		row, err := twoWatches(ctx, l, version)
		if err != nil {
			return fmt.Errorf("over %s: %w", version, err)
		}
		rows = append(rows, append([]string{"asked for " + version}, row...))
	}
	l.Table(rows...)
	l.Conclude("HTTP/2 has frames of its own instead of chunks, and carries many responses at once. " +
		"The events in them are the same. Chunks belong to HTTP/1.1, not to the watch.")
	return nil
}

// twoWatches opens two watches over one HTTP version, and returns what the response says of itself.
func twoWatches(ctx context.Context, l *lab.Lab, version string) ([]string, error) {
	var dials atomic.Int32
	transport := l.NewTransport()
	defer transport.CloseIdleConnections()
	transport.Protocols = new(http.Protocols)
	transport.Protocols.SetHTTP1(version == "HTTP/1.1")
	transport.Protocols.SetHTTP2(version == "HTTP/2")
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		dials.Add(1)
		return dial(ctx, network, addr)
	}
	client := watch.Client{Server: l.Server.String(), HTTP: l.Client(transport)}
	var row []string
	for range 2 {
		stream, err := client.Watch(ctx, configMaps(l), watch.Options{})
		if err != nil {
			return nil, err
		}
		defer stream.Close() // at the end of the function: the second watch is opened while the first is open
		event, meta, err := next(stream)
		if err != nil {
			return nil, err
		}
		encoding := fmt.Sprint(stream.Response.TransferEncoding)
		row = []string{stream.Response.Proto, encoding, string(event.Type) + " " + meta.Name, fmt.Sprint(dials.Load())}
	}
	return row, nil
}
