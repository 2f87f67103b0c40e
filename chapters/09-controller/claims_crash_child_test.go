package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"sync/atomic"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
)

// childEnv is the environment variable that has this test binary be a controller.
const childEnv = "SCRATCH_09_CHILD"

// life is what a controller in a process of its own is told.
type life struct {
	Kubeconfig string
	Group      string
	Parts      string // a name in constructors
	// KillAt is the ordinal of the request at which the process is killed; 0 means never.
	KillAt int64
	// Answered says that the server has got that request, and answered it, when it happens. Otherwise it gets nothing.
	Answered bool
}

// constructors are the controllers that are killed: two that are right, and two that TestCrashesShow is about.
var constructors = map[string]func() mirror.Parts{"client-go": mirror.ClientGo, "the book's": mirror.Book,
	"knows what it has made": knowing, "takes what it needs": taking}

// live runs a controller until the process is killed, or its standard input is closed: then the test has ended.
func live(text string) int {
	var l life
	err := json.Unmarshal([]byte(text), &l)
	if err == nil {
		err = l.run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func (l life) run() error {
	config, err := clientcmd.BuildConfigFromFlags("", l.Kubeconfig)
	if err != nil {
		return err
	}
	config.QPS = -1
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &mortal{life: l, next: next} })
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	set, err := kubernetes.NewForConfigAndClient(config, client)
	if err != nil {
		return err
	}
	c, err := mirror.New(set, mirror.Options{Group: l.Group, Parts: constructors[l.Parts](),
		Report: func(mirror.Key, error) {}})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		_, _ = os.Stdin.Read(make([]byte, 1))
		cancel()
	}()
	return c.Run(ctx)
}

// mortal is a transport that tells each write that has succeeded on standard output, and kills the process at a
// request.
type mortal struct {
	life
	next     http.RoundTripper
	requests atomic.Int64
}

// RoundTrip implements http.RoundTripper.
func (m *mortal) RoundTrip(r *http.Request) (*http.Response, error) {
	last := m.requests.Add(1) == m.KillAt
	if last && !m.Answered {
		die()
	}
	response, err := m.next.RoundTrip(r)
	if last {
		die()
	}
	if err == nil && r.Method != http.MethodGet && response.StatusCode < 300 {
		fmt.Println(r.Method, r.URL.Path)
	}
	return response, err
}

// die is kill -9: nothing is deferred, flushed or closed.
func die() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {}
}
