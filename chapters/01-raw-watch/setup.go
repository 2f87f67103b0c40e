package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// clientOf returns the chapter's own client for the lab's server,
// over the connection that all steps share. It shows its requests.
func clientOf(l *lab.Lab) *watch.Client {
	return &watch.Client{Server: l.Server.String(), HTTP: l.Aloud(l.HTTPClient())}
}

// quiet is a client for the requests that a step needs and is not about.
func quiet(l *lab.Lab) *watch.Client {
	return &watch.Client{Server: l.Server.String(), HTTP: l.HTTPClient()}
}

// configMaps returns the path of the run's ConfigMaps, or of one of them.
func configMaps(l *lab.Lab, name ...string) string {
	return watch.Path("", "v1", l.Namespace, "configmaps", name...)
}

// next reads the next event and its metadata. It passes over the one ConfigMap that a full cluster puts into every
// namespace, so that the demo says the same everywhere.
func next(s *watch.Stream) (watch.Event, watch.Meta, error) {
	for {
		event, err := s.Next()
		if err == nil {
			err = event.Err()
		}
		if err != nil {
			return event, watch.Meta{}, err
		}
		meta, err := event.Meta()
		if err != nil || !lab.Foreign(meta.Name) {
			return event, meta, err
		}
	}
}

// printAll prints the events of a stream until it ends, and returns how.
func printAll(l *lab.Lab, s *watch.Stream) error {
	for {
		event, meta, err := next(s)
		if err != nil {
			return err
		}
		l.Event(string(event.Type), "%-12s resourceVersion %s", meta.Name, meta.ResourceVersion)
	}
}

// object is what the demo writes: JSON by hand, because a ConfigMap needs no more.
type object map[string]any

// tea returns a ConfigMap that counts cups. The labels may be nil.
func tea(name string, cups int, labels object) object {
	metadata := object{"name": name}
	if labels != nil {
		metadata["labels"] = labels
	}
	return object{"metadata": metadata, "data": object{"cups": fmt.Sprint(cups)}}
}

// writer changes the run's ConfigMaps.
type writer struct {
	lab    *lab.Lab
	client *http.Client
}

// aloud shows each write.
func aloud(l *lab.Lab) writer { return writer{l, l.Aloud(l.HTTPClient())} }

// quietly writes what a step needs and is not about.
func quietly(l *lab.Lab) writer { return writer{l, l.HTTPClient()} }

func (w writer) create(ctx context.Context, o object) error {
	return w.send(ctx, http.MethodPost, configMaps(w.lab), o)
}

// patch merges change into the object.
func (w writer) patch(ctx context.Context, name string, change object) error {
	return w.send(ctx, http.MethodPatch, configMaps(w.lab, name), change)
}

func (w writer) remove(ctx context.Context, name string) error {
	return w.send(ctx, http.MethodDelete, configMaps(w.lab, name), nil)
}

func (w writer) send(ctx context.Context, method, path string, body any) error {
	_, err := lab.MustSendJSON(ctx, w.client, method, w.lab.Server.String()+path, body)
	return err
}

// newest returns the collection's resourceVersion, from which a watch sees what happens from now on.
func newest(ctx context.Context, l *lab.Lab) (string, error) {
	page, err := quiet(l).List(ctx, configMaps(l), watch.Options{})
	if err != nil {
		return "", err
	}
	return page.Metadata.ResourceVersion, nil
}

// milliseconds rounds a duration to what can be compared at a glance.
func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
}
