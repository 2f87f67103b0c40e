package main

import (
	"context"
	"net/http"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// fromNow is how a watch asks for nothing but what happens after it was opened.
var fromNow = watch.Options{SendInitialEvents: "false", ResourceVersionMatch: "NotOlderThan"}

// gap is step 1: a change between a list and a watch.
func gap(ctx context.Context, l *lab.Lab) error {
	client := &watch.Client{Server: l.Server.String(), HTTP: l.Aloud(l.HTTPClient())}
	path := watch.Path("", "v1", l.Namespace, "configmaps")
	for _, name := range []string{"apple", "pear"} {
		if err := write(ctx, l, name); err != nil {
			return err
		}
	}
	list, err := client.List(ctx, path, watch.Options{})
	if err != nil {
		return err
	}
	end := list.Metadata.ResourceVersion
	count, err := own(list)
	if err != nil {
		return err
	}
	l.Wire("%d objects, and the list itself is of resourceVersion %s", count, end)
	if err := write(ctx, l, "plum"); err != nil {
		return err
	}
	for _, o := range []watch.Options{fromNow, {ResourceVersion: end}} {
		if err := oneSecond(ctx, l, client, path, o); err != nil {
			return err
		}
	}
	l.Conclude("The first watch never tells of plum: a view made from it is wrong until plum changes again. " +
		"A watch from the list's resourceVersion begins where the list ends, and nothing is between them.")
	return nil
}

// own counts the run's objects of a list.
func own(list *watch.List) (n int, err error) {
	for _, item := range list.Items {
		meta, err := watch.MetaOf(item)
		if err != nil {
			return 0, err
		}
		if !lab.Foreign(meta.Name) {
			n++
		}
	}
	return n, nil
}

// oneSecond watches until the server ends the watch, after a second.
func oneSecond(ctx context.Context, l *lab.Lab, client *watch.Client, path string, o watch.Options) error {
	o.TimeoutSeconds = 1
	stream, err := client.Watch(ctx, path, o)
	if err != nil {
		return err
	}
	defer stream.Close()
	events := 0
	for {
		event, err := stream.Next()
		if err != nil {
			l.Wire("end of the watch after a second; events: %d", events)
			return nil
		}
		meta, err := event.Meta()
		if err != nil {
			return err
		}
		if !lab.Foreign(meta.Name) {
			events++
			l.Event(string(event.Type), "%s at %s", meta.Name, meta.ResourceVersion)
		}
	}
}

// write creates a ConfigMap.
func write(ctx context.Context, l *lab.Lab, name string) error {
	url := l.Server.String() + watch.Path("", "v1", l.Namespace, "configmaps")
	body := map[string]any{"metadata": map[string]string{"name": name}}
	_, err := lab.MustSendJSON(ctx, l.Aloud(l.HTTPClient()), http.MethodPost, url, body)
	return err
}
