package main

import (
	"context"
	"fmt"
	"net/http/httptrace"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// list is step 1: a GET whose response ends, and the connection that does not.
func list(ctx context.Context, l *lab.Lab) error {
	for _, name := range []string{"black", "green"} {
		if err := quietly(l).create(ctx, tea(name, 1, nil)); err != nil {
			return err
		}
	}
	transport := l.NewTransport() // no connection yet: the first request makes one
	defer transport.CloseIdleConnections()
	client := watch.Client{Server: l.Server.String(), HTTP: l.Aloud(l.Client(transport))}
	for range 2 {
		var conn httptrace.GotConnInfo
		traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
			GotConn: func(info httptrace.GotConnInfo) { conn = info },
		})
		page, err := client.List(traced, configMaps(l), watch.Options{})
		if err != nil {
			return err
		}
		l.Wire("a list at resourceVersion %s: %s", page.Metadata.ResourceVersion, names(page))
		state := "new"
		if conn.Reused {
			state = "reused"
		}
		l.Conclude("%s connection, from %s", state, conn.Conn.LocalAddr())
	}
	l.Conclude("The response ended and the connection stayed. " +
		"A list is old as soon as it is there: to learn what changed, ask again, or watch.")
	return nil
}

// names returns the names and versions of a page's objects.
func names(page *watch.List) string {
	var all []string
	for _, item := range page.Items {
		if meta, err := watch.MetaOf(item); err == nil && !lab.Foreign(meta.Name) {
			all = append(all, fmt.Sprintf("%s (%s)", meta.Name, meta.ResourceVersion))
		}
	}
	return strings.Join(all, " ")
}
