package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// object is what is written: JSON by hand.
type object map[string]any

// teas is the ConfigMaps of the run's namespace that have the label drink=tea, as a watch selects them.
type teas struct {
	lab    *lab.Lab
	client *watch.Client
	path   string
}

func newTeas(l *lab.Lab) *teas {
	return &teas{lab: l, path: watch.Path("", "v1", l.Namespace, "configmaps"),
		client: &watch.Client{Server: l.Server.String(), HTTP: l.HTTPClient()}}
}

// selected are the options of a watch of teas that begins after a version.
func selected(version string) watch.Options {
	return watch.Options{LabelSelector: "drink=tea", ResourceVersion: version}
}

// now is the collection's version.
func (t *teas) now(ctx context.Context) (string, error) {
	list, err := t.client.List(ctx, t.path, watch.Options{})
	if err != nil {
		return "", err
	}
	return list.Metadata.ResourceVersion, nil
}

// url is where an object is, or with "" the collection.
func (t *teas) url(name string) string {
	url := t.lab.Server.String() + t.path
	if name != "" {
		url += "/" + name
	}
	return url
}

// create makes a ConfigMap of a drink.
func (t *teas) create(ctx context.Context, client *http.Client, name, drink string) error {
	_, err := lab.MustSendJSON(ctx, client, http.MethodPost, t.url(""),
		object{"metadata": object{"name": name, "labels": object{"drink": drink}}, "data": object{"cups": "0"}})
	return err
}

// pour changes one.
func (t *teas) pour(ctx context.Context, client *http.Client, name string, cups int) error {
	_, err := lab.MustSendJSON(ctx, client, http.MethodPatch, t.url(name),
		object{"data": object{"cups": fmt.Sprint(cups)}})
	return err
}

// patience is how long the reader's code may take for what takes milliseconds.
const patience = 5 * time.Second

// within runs f, which waits for something that may never come, and gives up after patience. What f has returned or
// failed with by then counts.
func within[T any](ctx context.Context, f func() (T, error)) (value T, late bool, err error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, false, r.err
	case <-time.After(patience):
		return value, true, nil
	case <-ctx.Done():
		return value, false, context.Cause(ctx)
	}
}
