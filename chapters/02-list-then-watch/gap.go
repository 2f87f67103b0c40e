package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// fromNow is how a watch asks for nothing but what happens after it was opened.
var fromNow = watch.Options{SendInitialEvents: "false", ResourceVersionMatch: "NotOlderThan"}

// gap is step 1: a change between a list and a watch.
func gap(ctx context.Context, l *lab.Lab) error {
	client := &watch.Client{Server: l.Server.String(), HTTP: l.HTTPClient()}
	path := watch.Path("", "v1", l.Namespace, "configmaps")
	for _, name := range []string{"apple", "pear"} {
		if err := write(ctx, l, name); err != nil {
			return err
		}
	}
	l.Sent("GET %s", path)
	list, err := client.List(ctx, path, watch.Options{FieldSelector: "metadata.name!=kube-root-ca.crt"})
	if err != nil {
		return err
	}
	end := list.Metadata.ResourceVersion
	l.Wire("%d objects, and the list itself is of resourceVersion %s", len(list.Items), end)
	if err := write(ctx, l, "plum"); err != nil {
		return err
	}
	for _, o := range []watch.Options{fromNow, {ResourceVersion: end}} {
		if o.ResourceVersion == "" {
			l.Sent("GET %s?watch=true, from now on", path)
		} else {
			l.Sent("GET %s?watch=true&resourceVersion=%s", path, end)
		}
		if err := oneSecond(ctx, l, client, path, o); err != nil {
			return err
		}
	}
	l.Conclude("The first watch never tells of plum: a view made from it is wrong until plum changes again. " +
		"A watch from the list's resourceVersion begins where the list ends, and nothing is between them.")
	return nil
}

// oneSecond watches until the server ends the watch, after a second.
func oneSecond(ctx context.Context, l *lab.Lab, client *watch.Client, path string, o watch.Options) error {
	o.TimeoutSeconds = 1
	o.FieldSelector = "metadata.name!=kube-root-ca.crt"
	stream, err := client.Watch(ctx, path, o)
	if err != nil {
		return err
	}
	defer stream.Close()
	for n := 0; ; n++ {
		event, err := stream.Next()
		if err != nil {
			l.Wire("end of the watch after a second; events: %d", n)
			return nil
		}
		meta, err := event.Meta()
		if err != nil {
			return err
		}
		l.Event(string(event.Type), "%s at %s", meta.Name, meta.ResourceVersion)
	}
}

// write creates a ConfigMap.
func write(ctx context.Context, l *lab.Lab, name string) error {
	l.Sent("POST %s", name)
	body, err := json.Marshal(map[string]any{"metadata": map[string]string{"name": name}})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	url := l.Server.String() + watch.Path("", "v1", l.Namespace, "configmaps")
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := l.HTTPClient().Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusCreated {
		return fmt.Errorf("creating ConfigMap %s: %s", name, resp.Status)
	}
	return nil
}
