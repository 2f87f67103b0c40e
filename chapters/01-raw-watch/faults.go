package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// failures are what -fault shows: a client that reads a watch as one reads any other response.
var failures = map[string]lab.Step{
	"readall": {Title: "A client that reads to the end first", Run: readAll, Why: "io.ReadAll, as for any " +
		"other response. The watch has timeoutSeconds=2, and a ConfigMap is created as soon as it is open."},
	"scanner": {Title: "A client that reads lines", Run: scanner, Why: "bufio.Scanner, because each event " +
		"ends with a newline. One of the ConfigMaps holds 100 kB, a tenth of what the server would store."},
	"timeout": {Title: "A client with a timeout", Run: timeout, Why: "http.Client{Timeout: time.Second}, as " +
		"good practice has it for every client. The server, the network and the watch are well."},
	"cut": {Title: "A stream that ends inside an event", Run: cut, Why: "A proxy in between sends half of " +
		"the second event and ends the response in good order. Two clients read what arrived."},
	"expired": {Title: "An error inside a 200", Run: expire, Why: "The server sends its 200 before it " +
		"knows how the watch will go. Here a proxy plays the server that no longer has the asked-for version."},
}

// fault is the flag -fault: the name of a failure to show in place of the steps.
var fault string

func faultFlag(f *flag.FlagSet) {
	names := strings.Join(faultNames(), ", ")
	f.Func("fault", "show a failure instead: "+names, func(name string) error {
		if _, ok := failures[name]; !ok {
			return fmt.Errorf("it is none of %s", names)
		}
		fault = name
		return nil
	})
}

func faultNames() (names []string) {
	for name := range failures {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// steps are the demo's, or the one failure that was asked for.
func steps() []lab.Step {
	if fault != "" {
		return []lab.Step{failures[fault]}
	}
	return demo.Steps
}

func readAll(ctx context.Context, l *lab.Lab) error {
	resp, err := open(ctx, l, l.Server.String(), l.HTTPClient(), "?watch=true&timeoutSeconds=2&labelSelector=drink%3Dtea")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	start := time.Now()
	l.Sent("POST black")
	if err := create(ctx, l, tea("black", 1, object{"drink": "tea"})); err != nil {
		return err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	l.Wire("%s", strings.TrimSpace(string(body)))
	l.Conclude("read %.1f s after the write, when the server ended the watch. Without timeoutSeconds that is after "+
		"30 to 60 minutes.", time.Since(start).Seconds())
	return nil
}

func scanner(ctx context.Context, l *lab.Lab) error {
	big := tea("big", 1, object{"drink": "tea"})
	big["data"] = object{"leaves": strings.Repeat("x", 100_000)}
	if err := create(ctx, l, big); err != nil {
		return err
	}
	const query = "?watch=true&labelSelector=drink%3Dtea"
	resp, err := open(ctx, l, l.Server.String(), l.HTTPClient(), query)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	l.Conclude("bufio.Scanner: Scan() is %t, Err() is %q", lines.Scan(), lines.Err())
	if resp, err = open(ctx, l, l.Server.String(), l.HTTPClient(), query); err != nil {
		return err
	}
	defer resp.Body.Close()
	event, err := watch.NewDecoder(resp.Body).Next()
	if err != nil {
		return err
	}
	l.Conclude("watch.Decoder: an event of the type %s, with an object of %d bytes", event.Type, len(event.Object))
	l.Conclude("A program that does not look at Err() takes this for the end of the watch, opens a new one, and meets " +
		"the same object again.")
	return nil
}

func timeout(ctx context.Context, l *lab.Lab) error {
	if err := create(ctx, l, tea("black", 1, nil)); err != nil {
		return err
	}
	impatient := *l.HTTPClient()
	impatient.Timeout = time.Second
	start := time.Now()
	resp, err := open(ctx, l, l.Server.String(), &impatient, "?watch=true")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	for d := watch.NewDecoder(resp.Body); ; {
		event, err := d.Next()
		if err != nil {
			l.Conclude("%.1f s after the request: %v", time.Since(start).Seconds(), err)
			break
		}
		meta, err := event.Meta()
		if err != nil {
			return err
		}
		l.Event(string(event.Type), "%s", meta.Name)
	}
	l.Conclude("The clock of http.Client.Timeout runs until the body has been read, and this body has no end. " +
		"timeoutSeconds asks the server to end it, which is no error; a context ends it on this side.")
	return nil
}

func cut(ctx context.Context, l *lab.Lab) error {
	for _, name := range []string{"black", "green"} {
		if err := create(ctx, l, tea(name, 1, object{"drink": "tea"})); err != nil {
			return err
		}
	}
	proxy, err := between(l, "1.2 truncate; 2.2 truncate")
	if err != nil {
		return err
	}
	defer proxy.Close()
	resp, err := open(ctx, l, viaProxy, proxy.Client(), "?watch=true&labelSelector=drink%3Dtea")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		l.Wire("%s", lines.Text())
	}
	l.Conclude("bufio.Scanner: two lines, and Err() is %v. The second is half an event.", lines.Err())
	client := watch.Client{Server: viaProxy, HTTP: proxy.Client()}
	stream, err := client.Watch(ctx, configMaps(l), watch.Options{LabelSelector: "drink=tea"})
	if err != nil {
		return err
	}
	defer stream.Close()
	err = printAll(l, stream)
	l.Conclude("watch.Decoder: %v", err)
	l.Conclude("Only a stream that ends between two events may be taken for one that the server ended.")
	return nil
}

func expire(ctx context.Context, l *lab.Lab) error {
	proxy, err := between(l, "1.1 expired")
	if err != nil {
		return err
	}
	defer proxy.Close()
	if err := create(ctx, l, tea("black", 1, nil)); err != nil {
		return err
	}
	resp, err := open(ctx, l, viaProxy, proxy.Client(), "?watch=true&resourceVersion=1")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	event, err := watch.NewDecoder(resp.Body).Next()
	if err != nil {
		return err
	}
	l.Wire("%s", resp.Status)
	l.Event(string(event.Type), "%s", event.Object)
	var configMap struct{ Metadata watch.Meta }
	if err := json.Unmarshal(event.Object, &configMap); err != nil {
		return err
	}
	l.Conclude("decoded as a ConfigMap, without an error: one with the name %q", configMap.Metadata.Name)
	l.Conclude("Event.Err: %v", event.Err())
	l.Conclude("A client that checks the status code alone puts an object without a name into its view, and watches on " +
		"from a version that the server has forgotten.")
	return nil
}

// open sends a GET of the run's ConfigMaps and returns the open response.
func open(ctx context.Context, l *lab.Lab, server string, client *http.Client, query string) (*http.Response, error) {
	l.Sent("GET .../configmaps%s", query)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server+configMaps(l)+query, nil)
	if err != nil {
		return nil, err
	}
	return client.Do(req)
}

// viaProxy is the server's URL for a client that reaches it through the proxy.
const viaProxy = "http://faults"

// between returns a proxy that plays the script. It reaches the server over a transport with the run's credentials.
func between(l *lab.Lab, script string) (*faults.Proxy, error) {
	parsed, err := faults.Parse(script)
	if err != nil {
		return nil, err
	}
	return faults.New(l.Server, l.HTTPClient().Transport, parsed), nil
}
