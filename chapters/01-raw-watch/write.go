package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// object is what the demo writes: JSON by hand, because a ConfigMap needs no more.
type object map[string]any

// tea returns a ConfigMap that counts cups.
func tea(name string, cups int, labels object) object {
	return object{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": object{"name": name, "labels": labels},
		"data":     object{"cups": fmt.Sprint(cups)},
	}
}

func create(ctx context.Context, l *lab.Lab, o object) error {
	return send(ctx, l, http.MethodPost, configMaps(l), o)
}

// patch merges change into the object: RFC 7396, as `kubectl label` and `kubectl annotate` send it.
func patch(ctx context.Context, l *lab.Lab, name string, change object) error {
	return send(ctx, l, http.MethodPatch, configMaps(l, name), change)
}

func remove(ctx context.Context, l *lab.Lab, name string) error {
	return send(ctx, l, http.MethodDelete, configMaps(l, name), nil)
}

// send makes one write and checks that it succeeded.
func send(ctx context.Context, l *lab.Lab, method, path string, body object) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, l.Server.String()+path, bytes.NewReader(raw))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		req.Header.Set("Content-Type", "application/merge-patch+json")
	}
	resp, err := l.HTTPClient().Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, answer)
	}
	return err
}

// newest returns the collection's resourceVersion, from which a watch sees what happens from now on.
func newest(ctx context.Context, l *lab.Lab) (string, error) {
	page, err := clientOf(l).List(ctx, configMaps(l), watch.Options{})
	if err != nil {
		return "", err
	}
	return page.Metadata.ResourceVersion, nil
}
