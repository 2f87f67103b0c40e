package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// failures are what -fault shows: a client that reads a watch as one reads any other response.
func failures() []lab.Fault {
	step := func(name string, s lab.Step) lab.Fault { return lab.Fault{Name: name, Steps: []lab.Step{s}} }
	return []lab.Fault{
		step("readall", lab.Step{Title: "A client that reads to the end first", Run: readAll,
			Why: "io.ReadAll, as for any other response. " +
				"The watch has timeoutSeconds=2, and a ConfigMap is created as soon as it is open."}),
		step("scanner", lab.Step{Title: "A client that reads lines", Run: scanner,
			Why: "bufio.Scanner, because each event ends with a newline. One of the ConfigMaps holds 100 kB, " +
				"a tenth of what a ConfigMap may hold."}),
		step("timeout", lab.Step{Title: "A client with a timeout", Run: timeout,
			Why: "http.Client{Timeout: time.Second}, as good practice has it for every client. " +
				"The server, the network and the watch are fine."}),
		step("cut", lab.Step{Title: "A stream that ends inside an event", Run: cut,
			Why: "A proxy in between sends half of the second event and ends the response in good order. " +
				"Two clients read what arrived."}),
		step("expired", lab.Step{Title: "An error inside a 200", Run: expire,
			Why: "The server answers a watch that it cannot serve with status 200, too. " +
				"Here a proxy plays the server that no longer has the asked-for version."}),
	}
}

// open sends a GET of the run's ConfigMaps and returns the open response, whose body the caller closes.
func open(ctx context.Context, l *lab.Lab, server string, client *http.Client, query string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server+configMaps(l)+query, nil)
	if err != nil {
		return nil, err
	}
	l.Request(req) // and not Aloud: net/http tells a time-out as its own only over a transport that it knows
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

// readAll reads the body to its end before it looks at it.
func readAll(ctx context.Context, l *lab.Lab) error {
	resp, err := open(ctx, l, l.Server.String(), l.HTTPClient(),
		"?watch=true&timeoutSeconds=2&labelSelector=drink%3Dtea")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	start := time.Now()
	if err := aloud(l).create(ctx, tea("black", 1, object{"drink": "tea"})); err != nil {
		return err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	l.Wire("%s", strings.TrimSpace(string(body)))
	l.Conclude("read %.1f s after the write, when the server ended the watch. "+
		"Without timeoutSeconds that is after 30 to 60 minutes.", time.Since(start).Seconds())
	return nil
}

// scanner reads lines.
func scanner(ctx context.Context, l *lab.Lab) error {
	big := tea("big", 1, object{"drink": "tea"})
	big["data"] = object{"leaves": strings.Repeat("x", 100_000)}
	if err := quietly(l).create(ctx, big); err != nil {
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
	l.Conclude("A program that does not look at Err() takes this for the end of the watch, opens a new one, " +
		"and meets the same object again.")
	return nil
}

// timeout bounds the whole request.
func timeout(ctx context.Context, l *lab.Lab) error {
	if err := quietly(l).create(ctx, tea("black", 1, nil)); err != nil {
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

// cut reads a stream that ends inside an event.
func cut(ctx context.Context, l *lab.Lab) error {
	for _, name := range []string{"black", "green"} {
		if err := quietly(l).create(ctx, tea(name, 1, object{"drink": "tea"})); err != nil {
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
	client := watch.Client{Server: viaProxy, HTTP: l.Aloud(proxy.Client())}
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

// expire looks at the status code only.
func expire(ctx context.Context, l *lab.Lab) error {
	proxy, err := between(l, "1.1 expired")
	if err != nil {
		return err
	}
	defer proxy.Close()
	if err := quietly(l).create(ctx, tea("black", 1, nil)); err != nil {
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
	l.Conclude("A client that checks the status code alone puts an object without a name into its view, and watches " +
		"on from a version that the server has forgotten.")
	return nil
}
