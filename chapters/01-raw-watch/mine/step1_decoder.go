package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/1-decode"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// moreDecode is where a reader whose Decoder fails goes next.
const moreDecode = "make grade EX=01.1 says more"

// decodes has the reader's Decoder read a watch that goes on, and then three that end.
func decodes(ctx context.Context, l *lab.Lab) error {
	c := newCollection(l)
	if err := readsWhileOpen(ctx, c); err != nil {
		return err
	}
	proxy := faults.New(l.Server, l.HTTPClient().Transport, faults.Written{
		{Request: 1, Event: 1, Kind: faults.Truncate}, {Request: 2, Event: 1, Kind: faults.Expired},
	})
	defer proxy.Close()
	const through = "http://faults"
	for _, end := range []struct {
		what   string
		client *http.Client
		url    string
		right  func(error) bool
		want   string
	}{
		{"the server ended the watch", l.HTTPClient(), c.url("?watch=true&timeoutSeconds=1&labelSelector=drink"),
			func(err error) bool { return err == io.EOF }, "io.EOF itself"},
		{"half an event, and then the end", proxy.Client(), through + c.path + "?watch=true&labelSelector=drink",
			func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }, "io.ErrUnexpectedEOF"},
		{"an ERROR with the code 410", proxy.Client(), through + c.path + "?watch=true&labelSelector=drink",
			expired, "a *StatusError with the code 410"},
	} {
		late, err := c.endOf(ctx, end.client, end.url)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case late:
			return fmt.Errorf("%s, and your Next waits for more: %s", end.what, moreDecode)
		case !end.right(err):
			return fmt.Errorf("%s, and your Next returned the error %v, where %s is due: %s",
				end.what, err, end.want, moreDecode)
		}
		l.Became("%s: %v", end.what, err)
	}
	l.Conclude("Your Decoder returned each event while the response was open, one of 100 kB among them, " +
		"and told three ends apart.")
	return nil
}

// readsWhileOpen reads an event after each write.
func readsWhileOpen(ctx context.Context, c *collection) error {
	body, err := c.open(ctx, c.lab.HTTPClient(), c.url("?watch=true&labelSelector=drink"))
	if err != nil {
		return err
	}
	defer body.Close()
	decoder := decode.NewDecoder(body)
	for _, w := range []write{
		create("black", object{"cups": "1"}), create("big", object{"leaves": strings.Repeat("x", 100_000)}),
		patch("black", object{"data": object{"cups": "2"}}), remove("big"),
	} {
		if err := c.do(ctx, w); err != nil {
			return err
		}
		event, late, err := within(ctx, decoder.Next)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case late:
			return fmt.Errorf("%v after the %v your Next has returned nothing: %s", patience, w, moreDecode)
		case err != nil:
			return fmt.Errorf("after the %v your Next returned the error %w: %s", w, err, moreDecode)
		}
		meta, err := watch.MetaOf(event.Object)
		if err != nil {
			return fmt.Errorf("after the %v your Next returned an Object that is none: %w: %s", w, err, moreDecode)
		}
		c.lab.Changed(event.Type, "%s, %d bytes", meta.Name, len(event.Object))
		if event.Type != w.event || meta.Name != w.name {
			return fmt.Errorf("after the %v your Next returned %s of %s: %s", w, event.Type, meta.Name, moreDecode)
		}
	}
	return nil
}

// endOf reads a response to its end, and returns how it ended.
func (c *collection) endOf(ctx context.Context, client *http.Client, url string) (late bool, err error) {
	body, err := c.open(ctx, client, url)
	if err != nil {
		return false, err
	}
	defer body.Close()
	decoder := decode.NewDecoder(body)
	for {
		if _, late, err := within(ctx, decoder.Next); err != nil || late {
			return late, err
		}
	}
}

func expired(err error) bool {
	var status *decode.StatusError
	return errors.As(err, &status) && status.Code == http.StatusGone
}
