package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/1-decode"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/2-follow"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/3-view"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
)

// reader says by what the view's events come.
func (p pieces) reader() string {
	switch {
	case p.follow:
		return "your Follow"
	case p.decoder:
		return "your Decoder"
	}
	return "the book's client"
}

// events opens a watch from a version on. next waits for an event, and closed ends the watch.
func (p pieces) events(ctx context.Context, c *collection, selector, version string) (
	next func() (view.Event, error), closed func(), err error) {
	address := c.url("?watch=true&labelSelector=" + url.QueryEscape(selector) + "&resourceVersion=" + version)
	switch {
	case p.follow:
		ctx, stop := context.WithCancel(ctx)
		w, err := follow.Follow(ctx, c.lab.Aloud(c.lab.HTTPClient()), address)
		if err != nil {
			stop()
			return nil, nil, err
		}
		return func() (view.Event, error) { return received(w) }, stop, nil
	case p.decoder:
		body, err := c.open(ctx, c.lab.HTTPClient(), address)
		if err != nil {
			return nil, nil, err
		}
		decoder := decode.NewDecoder(body)
		return func() (view.Event, error) {
			event, err := decoder.Next()
			return eventOf(event.Type, event.Object, err)
		}, func() { body.Close() }, nil
	}
	client := watch.Client{Server: c.client.Server, HTTP: c.lab.Aloud(c.client.HTTP)}
	stream, err := client.Watch(ctx, c.path, watch.Options{LabelSelector: selector, ResourceVersion: version})
	if err != nil {
		return nil, nil, err
	}
	return func() (view.Event, error) {
		event, err := stream.Next()
		return eventOf(string(event.Type), event.Object, errors.Join(err, event.Err()))
	}, func() { stream.Close() }, nil
}

// received is the next event that Follow passes on.
func received(w *follow.Watch) (view.Event, error) {
	event, ok := <-w.Events()
	if !ok && w.Err() != nil {
		return view.Event{}, w.Err()
	}
	if !ok {
		return view.Event{}, io.EOF
	}
	return eventOf(event.Type, event.Object, nil)
}

// eventOf makes the view's event of what a decoder returned.
func eventOf(kind string, document json.RawMessage, err error) (view.Event, error) {
	if err != nil {
		return view.Event{}, err
	}
	o, err := objectOf(document)
	return view.Event{Type: kind, Object: o}, err
}
