package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/3-view"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// collection is the ConfigMaps of the run's namespace.
type collection struct {
	lab    *lab.Lab
	client *watch.Client
	path   string
}

func newCollection(l *lab.Lab) *collection {
	return &collection{lab: l, path: watch.Path("", "v1", l.Namespace, "configmaps"),
		client: &watch.Client{Server: l.Server.String(), HTTP: l.HTTPClient()}}
}

// url is where the collection is, with a query.
func (c *collection) url(query string) string { return c.lab.Server.String() + c.path + query }

// object is what is written: JSON by hand.
type object map[string]any

// write is one change of the collection, and what a watch that sees all of drink says of it.
type write struct {
	verb  string // of HTTP
	name  string // of the object
	body  object // nil to delete it
	event string // the event's type
}

func create(name string, data object) write {
	return write{http.MethodPost, name, object{"data": data,
		"metadata": object{"name": name, "labels": object{"drink": "tea"}}}, "ADDED"}
}

func patch(name string, change object) write {
	return write{http.MethodPatch, name, change, "MODIFIED"}
}

func remove(name string) write { return write{http.MethodDelete, name, nil, "DELETED"} }

// String says what was written, as an error needs it.
func (w write) String() string { return w.verb + " of " + w.name }

// do writes, and shows the request.
func (c *collection) do(ctx context.Context, w write) error {
	url := c.url("")
	if w.verb != http.MethodPost {
		url += "/" + w.name
	}
	var body any
	if w.body != nil {
		body = w.body
	}
	_, err := lab.MustSendJSON(ctx, c.lab.Aloud(c.lab.HTTPClient()), w.verb, url, body)
	return err
}

// open sends a GET and returns the body of the open response.
func (c *collection) open(ctx context.Context, client *http.Client, url string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := c.lab.Aloud(client).Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, fmt.Errorf("%s: %s", url, resp.Status)
	}
	return resp.Body, nil
}

// list lists the selection, as the exercise has its objects.
func (c *collection) list(ctx context.Context, selector string) (version string, objects []view.Object, err error) {
	page, err := c.client.List(ctx, c.path, watch.Options{LabelSelector: selector})
	if err != nil {
		return "", nil, err
	}
	for _, item := range page.Items {
		o, err := objectOf(item)
		if err != nil {
			return "", nil, err
		}
		objects = append(objects, o)
	}
	return page.Metadata.ResourceVersion, objects, nil
}

// objectOf decodes an object's JSON into the exercise's form.
func objectOf(document json.RawMessage) (view.Object, error) {
	var o struct {
		Metadata struct {
			Namespace, Name, UID, ResourceVersion, DeletionTimestamp string
			Labels                                                   map[string]string
		}
		Data map[string]string
	}
	if err := json.Unmarshal(document, &o); err != nil {
		return view.Object{}, fmt.Errorf("a ConfigMap: %w", err)
	}
	m := o.Metadata
	return view.Object{Namespace: m.Namespace, Name: m.Name, UID: m.UID, ResourceVersion: m.ResourceVersion,
		DeletionTimestamp: m.DeletionTimestamp, Labels: m.Labels, Data: o.Data}, nil
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
