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
	if err := c.readsWhileOpen(ctx); err != nil {
		return err
	}
	l.Conclude("Your Decoder returned each event while the response was open, one of 100 kB among them.")
	return concludes(l, c.readsToTheEnd(ctx), "Your Decoder told three ends apart.")
}

// readsWhileOpen reads an event after each write. It needs stage 1.
func (c *collection) readsWhileOpen(ctx context.Context) error {
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
			return returned(w, err)
		}
		meta, err := watch.MetaOf(event.Object)
		if err != nil {
			return fmt.Errorf("after the %v your Next returned an Object that is none: %v: %s", w, err, moreDecode)
		}
		c.lab.Changed(event.Type, "%s, %d bytes", meta.Name, len(event.Object))
		if event.Type != w.event || meta.Name != w.name {
			return fmt.Errorf("after the %v your Next returned %s of %s: %s", w, event.Type, meta.Name, moreDecode)
		}
	}
	return nil
}

// readsToTheEnd reads three responses that end, each in another way. It needs stages 2 and 3.
func (c *collection) readsToTheEnd(ctx context.Context) error {
	proxy := faults.New(c.lab.Server, c.lab.HTTPClient().Transport, faults.Written{
		{Request: 1, Event: 1, Kind: faults.Truncate}, {Request: 2, Event: 1, Kind: faults.Expired},
	})
	defer proxy.Close()
	const through = "http://faults"
	for _, end := range []struct {
		stage  int
		what   string
		client *http.Client
		url    string
		right  func(error) bool
		want   string
	}{
		{2, "the server ended the watch", c.lab.HTTPClient(), c.url("?watch=true&timeoutSeconds=1&labelSelector=drink"),
			func(err error) bool { return err == io.EOF }, "io.EOF itself"},
		{2, "half an event, and then the end", proxy.Client(), through + c.path + "?watch=true&labelSelector=drink",
			func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }, "io.ErrUnexpectedEOF"},
		{3, "an ERROR with the code 410", proxy.Client(), through + c.path + "?watch=true&labelSelector=drink",
			expired, "a *StatusError with the code 410"},
	} {
		got, err := c.endOf(ctx, end.client, end.url)
		if err != nil {
			return err
		}
		if !end.right(got) {
			return &later{"01.1", end.stage,
				fmt.Sprintf("%s, and your Next returned %v, where %s is due", end.what, got, end.want)}
		}
		c.lab.Became("%s: %v", end.what, got)
	}
	return nil
}

// errSilent is what a Next returned that did not return.
var errSilent = errors.New("nothing, and waits for more")

// endOf reads a response to its end, and returns what Next returned then.
func (c *collection) endOf(ctx context.Context, client *http.Client, url string) (got, err error) {
	body, err := c.open(ctx, client, url)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	decoder := decode.NewDecoder(body)
	for {
		event, late, got := within(ctx, decoder.Next)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case late:
			return errSilent, nil
		case got != nil:
			return got, nil
		}
		switch event.Type {
		case "ADDED", "MODIFIED", "DELETED", "BOOKMARK":
		default: // before the stage that looks for it
			return fmt.Errorf("an event of the type %q, and no error", event.Type), nil
		}
	}
}

func expired(err error) bool {
	var status *decode.StatusError
	return errors.As(err, &status) && status.Code == http.StatusGone
}

// returned says which error the reader's Next returned. That one is not wrapped: an io.EOF of the reader's would look
// like the end of the server.
func returned(w write, err error) error {
	return fmt.Errorf("after the %v your Next returned the error %v: %s", w, err, moreDecode)
}
