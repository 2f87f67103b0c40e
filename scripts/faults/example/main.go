// Command example puts an informer of client-go's behind the fault proxy, for who has no controller at hand:
//
//	go run ./scripts/faults/example
//	go run ./scripts/faults/example -script 'configmaps 1.4 stall 5s' -v=4 2> controller.log
//
// It is the informer of docs/faults.md: the ConfigMaps menu and prices are there, and plum, pear and fig are created
// while it runs. What client-go logs goes to standard error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults/faultserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// standard is the script of docs/faults.md.
const standard = "configmaps 1.4 cut; configmaps 2 too-many 5s; configmaps 3.1 expired; configmaps 9 gone"

// Each write is so long after the one before, and the informer has so much time for the last one.
const (
	pause   = 3 * time.Second
	atMost  = 30 * time.Second
	notice  = 100 * time.Millisecond
	columns = 100
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

// run returns the exit code.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	f := flag.NewFlagSet("example", flag.ContinueOnError)
	f.SetOutput(errs)
	text := f.String("script", standard, "what goes wrong: go run ./scripts/faults -h")
	verbosity := f.String("v", "0", "how much client-go logs, on standard error: 4 tells of each watch that ends")
	if err := f.Parse(args); err != nil {
		return 2
	}
	logging := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(logging)
	if err := logging.Set("v", *verbosity); err != nil {
		fmt.Fprintf(errs, "example: -v %s is no number\n", *verbosity)
		return 2
	}
	script, err := faultserver.Parse(*text, "")
	if err != nil {
		for _, line := range lab.Wrap("example: "+err.Error(), columns) {
			fmt.Fprintln(errs, line)
		}
		return 2
	}
	err = lab.Hold(ctx, lab.Options{Progress: errs}, out, func(ctx context.Context, l *lab.Lab) error {
		return play(ctx, l, *text, script)
	})
	if err != nil && !lab.Interrupted(err) {
		lab.NewNarrator(errs, nil).Problem(err)
		return 1
	}
	return 0
}

// play runs the informer through the proxy in a namespace of its own.
func play(ctx context.Context, l *lab.Lab, text string, script faultserver.Script) (err error) {
	there, err := faultserver.Discover(ctx, l.HTTPClient(), l.Server)
	if err != nil {
		return err
	}
	script, notes, err := script.Resolve(there)
	if err != nil {
		return err
	}
	for _, note := range notes {
		l.Say("%s", note)
	}
	own, err := l.InNamespace(ctx, "scratch-faults")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, own.DeleteNamespace(context.WithoutCancel(ctx))) }()
	transport := l.NewTransport()
	defer transport.CloseIdleConnections()
	past, err := clientsFor(&rest.Config{Host: l.Server.String()}, l.Client(transport))
	if err != nil {
		return err
	}
	names := []string{"menu", "prices", "plum", "pear", "fig"}
	for _, name := range names[:2] {
		if err := create(ctx, past, own.Namespace, name); err != nil {
			return err
		}
	}
	l.Say("An informer of client-go's on ConfigMaps: menu and prices are there, and %s are created while it runs, %s "+
		"apart. The script: %s", strings.Join(names[2:], ", "), pause, text)
	server, err := faultserver.Listen(faultserver.Options{Target: l.Server, Transport: l.Client(transport).Transport,
		Script: script, Narrator: l.Narrator})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	told, err := inform(ctx, server, own, func(h *handled) error {
		h.await(ctx, names[:2])
		for _, name := range names[2:] {
			if wait(ctx, pause) != nil {
				return nil
			}
			if err := create(ctx, past, own.Namespace, name); err != nil {
				return err
			}
		}
		h.await(ctx, names)
		return nil
	})
	if err := errors.Join(err, server.Close()); err != nil {
		return err
	}
	server.Report()
	l.Heading("report", "what the informer's handlers were told")
	told.show(l)
	return nil
}

// clientsFor are clients that use an http.Client.
func clientsFor(config *rest.Config, client *http.Client) (kubernetes.Interface, error) {
	return kubernetes.NewForConfigAndClient(config, client)
}

func create(ctx context.Context, set kubernetes.Interface, namespace, name string) error {
	_, err := set.CoreV1().ConfigMaps(namespace).Create(ctx,
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	return err
}

// handled is what the informer's handlers were told.
type handled struct {
	mu     sync.Mutex // guards what follows
	added  []string
	same   []string // of which an update told that has not changed them
	update []string
}

func (h *handled) note(to *[]string, name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !slices.Contains(*to, name) {
		*to = append(*to, name)
	}
}

// await waits until the handlers have been told of all the names, or for long enough.
func (h *handled) await(ctx context.Context, names []string) {
	for until := time.Now().Add(atMost); time.Now().Before(until) && wait(ctx, notice) == nil; {
		h.mu.Lock()
		n := len(h.added)
		h.mu.Unlock()
		if n >= len(names) {
			return
		}
	}
}

// show says what was told.
func (h *handled) show(l *lab.Lab) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, line := range []struct {
		what  string
		names []string
	}{{"added", h.added}, {"updated", h.update}, {"updated, and nobody has changed it", h.same}} {
		if len(line.names) > 0 {
			slices.Sort(line.names)
			l.Became("%s: %s", line.what, strings.Join(line.names, ", "))
		}
	}
}

// inform runs an informer through the proxy while f runs.
func inform(ctx context.Context, server *faultserver.Server, own *lab.Cluster, f func(*handled) error) (
	told *handled, err error) {
	dir, err := os.MkdirTemp("", "faults-example-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "kubeconfig")
	if err := server.WriteKubeconfig(path, own.Namespace); err != nil {
		return nil, err
	}
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		return nil, err
	}
	config.UserAgent = "example"
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	defer client.CloseIdleConnections()
	set, err := clientsFor(config, client)
	if err != nil {
		return nil, err
	}
	factory := informers.NewSharedInformerFactoryWithOptions(set, 0, informers.WithNamespace(own.Namespace),
		informers.WithTweakListOptions(func(o *metav1.ListOptions) {
			if own.Provider != lab.Local { // a full cluster puts one of its own into each namespace
				o.FieldSelector = lab.OwnConfigMaps
			}
		}))
	told = &handled{}
	_, err = factory.Core().V1().ConfigMaps().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(o any) { told.note(&told.added, o.(*corev1.ConfigMap).Name) },
		UpdateFunc: func(before, o any) {
			to := &told.update
			if before.(*corev1.ConfigMap).ResourceVersion == o.(*corev1.ConfigMap).ResourceVersion {
				to = &told.same
			}
			told.note(to, o.(*corev1.ConfigMap).Name)
		},
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	factory.StartWithContext(ctx)
	defer factory.Shutdown()
	defer cancel()
	return told, f(told)
}

// wait waits, or less long if the context ends.
func wait(ctx context.Context, long time.Duration) error {
	select {
	case <-time.After(long):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
