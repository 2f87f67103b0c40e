package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"slices"
	"strings"

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
