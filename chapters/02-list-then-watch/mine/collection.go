package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// collection is that of the run's namespace, directly and through a proxy that breaks things.
type collection struct {
	direct *watch.Client
	proxy  *faults.Proxy
	path   string
	lab    *lab.Lab

	mu   sync.Mutex
	view map[string]string // what the state machine held last
}

// holds tells the writer what the state machine holds now.
func (c *collection) holds(view map[string]string) {
	c.mu.Lock()
	c.view = maps.Clone(view)
	c.mu.Unlock()
	c.proxy.Recheck()
}

// has says whether the state machine holds an object.
func (c *collection) has(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.view[name]
	return ok
}

func newCollection(l *lab.Lab, script faults.Written) *collection {
	return &collection{
		direct: &watch.Client{Server: l.Server.String(), HTTP: l.HTTPClient()},
		proxy:  faults.New(l.Server, l.HTTPClient().Transport, script),
		path:   watch.Path("", "v1", l.Namespace, "configmaps"),
		lab:    l,
	}
}

// Close ends the proxy.
func (c *collection) Close() { _ = c.proxy.Close() }

// through is a watch client whose requests pass the proxy, and show themselves.
func (c *collection) through(l *lab.Lab) *watch.Client {
	return &watch.Client{Server: "http://faults", HTTP: l.Aloud(c.proxy.Client())}
}

// write creates the i-th object of a name.
func (c *collection) write(ctx context.Context, name string, i int) error {
	object := map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"name": fmt.Sprintf("%s-%d", name, i)},
	}
	_, err := lab.MustSendJSON(ctx, c.lab.HTTPClient(), http.MethodPost, c.lab.Server.String()+c.path, object)
	return err
}

// remove deletes it.
func (c *collection) remove(ctx context.Context, name string, i int) error {
	_, err := lab.MustSendJSON(ctx, c.lab.HTTPClient(), http.MethodDelete,
		fmt.Sprintf("%s%s/%s-%d", c.lab.Server, c.path, name, i), nil)
	return err
}

// writes is how many changes the writer makes: enough for each fault to get its turn.
const writes = 8

// writeUntilQuiet creates objects and deletes some of them. Before the first change and after each it waits until the
// state machine holds what there is, the proxy has a watch open,
// and nothing is left to do for it: so each run is the same.
func (c *collection) writeUntilQuiet(ctx context.Context) error {
	if err := c.seen(ctx, "old", 0, true); err != nil {
		return err
	}
	for i := range writes {
		if err := c.write(ctx, "fire", i); err != nil {
			return err
		}
		if err := c.seen(ctx, "fire", i, true); err != nil {
			return err
		}
		if i%3 != 2 {
			continue
		}
		if err := c.remove(ctx, "fire", i-1); err != nil {
			return err
		}
		if err := c.seen(ctx, "fire", i-1, false); err != nil {
			return err
		}
	}
	return nil
}

// tooLate is how long the state machine may take for a change. With the reader's Keep, to which a list is a watch that
// ends at once, three of the longest delays may come in a row, each with its random part.
const tooLate = 15 * time.Second

// seen waits until the state machine holds the i-th object of a name, or holds it no more.
func (c *collection) seen(ctx context.Context, name string, i int, there bool) error {
	name = fmt.Sprintf("%s-%d", name, i)
	waiting, cancel := context.WithTimeout(ctx, tooLate)
	defer cancel()
	err := c.proxy.Quiet(waiting, func() bool { return c.has(name) == there })
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil:
		return nil
	case c.has(name) == there:
		return fmt.Errorf("your view is right, and %v later no watch is open", tooLate)
	case there:
		return fmt.Errorf("%s was created, and %v later it is not in your view", name, tooLate)
	}
	return fmt.Errorf("%s was deleted, and %v later it is still in your view", name, tooLate)
}

// versions lists the collection directly: names and their versions.
func (c *collection) versions(ctx context.Context) (map[string]string, error) {
	objects, _, err := c.list(ctx, c.direct)
	return objects, err
}

// list lists in one page.
func (c *collection) list(ctx context.Context, client *watch.Client) (map[string]string, string, error) {
	page, err := client.List(ctx, c.path, watch.Options{})
	if err != nil {
		return nil, "", err
	}
	objects := map[string]string{}
	for _, item := range page.Items {
		meta, err := watch.MetaOf(item)
		if err != nil {
			return nil, "", err
		}
		objects[meta.Name] = meta.ResourceVersion
	}
	return objects, page.Metadata.ResourceVersion, nil
}

// codeFirst is how the error of exercise 02.2 begins: "410 Expired: ...".
var codeFirst = regexp.MustCompile(`^(\d{3}) `)

// statusOf is the HTTP status of a refusal, and 0 for a connection that broke.
func statusOf(err error) int {
	var status *watch.StatusError
	if errors.As(err, &status) {
		return status.Code
	}
	if m := codeFirst.FindStringSubmatch(err.Error()); m != nil {
		code, _ := strconv.Atoi(m[1])
		return code
	}
	return 0
}

// overheard is a transport that notes the versions of the objects in the lists that pass.
type overheard struct {
	next     http.RoundTripper
	versions map[string]string
}

// RoundTrip implements http.RoundTripper.
func (o *overheard) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := o.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	var list struct {
		Items []struct {
			Metadata struct{ Name, ResourceVersion string }
		}
	}
	if json.Unmarshal(body, &list) == nil {
		for _, item := range list.Items {
			o.versions[item.Metadata.Name] = item.Metadata.ResourceVersion
		}
	}
	return resp, nil
}
