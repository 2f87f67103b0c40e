package main

import (
	"context"
	"net/http"
	"os"
	"strings"
	"sync"

	"k8s.io/client-go/dynamic"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/install"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// tour is what the steps share.
type tour struct {
	own *scenario.Kind // from step 1 to step 6
}

// object is an object as JSON has it.
type object = scenario.Object

// book is where the objects of the book's own group are, in the run's namespace.
func book(l *lab.Lab, resource string) string {
	return l.Server.String() + "/apis/" + v1alpha1.GroupVersion.String() + "/namespaces/" + l.Namespace + "/" + resource
}

// booked is an object of the book's own group.
func booked(kind, name string, spec object) object {
	return object{"apiVersion": v1alpha1.GroupVersion.String(), "kind": kind,
		"metadata": object{"name": name}, "spec": spec}
}

// installBook applies the book's CRDs, which stay.
func installBook(ctx context.Context, l *lab.Lab) error {
	client, err := dynamic.NewForConfigAndClient(scenario.Config(l), l.HTTPClient())
	if err != nil {
		return err
	}
	return install.CRDs(ctx, client)
}

// send sends JSON without a word; a refusal is an answer like another.
func send(ctx context.Context, l *lab.Lab, method, url string, body any) (scenario.Answer, error) {
	return scenario.Send(ctx, l.HTTPClient(), method, url, body)
}

// sendAloud is send, and shows the request.
func sendAloud(ctx context.Context, l *lab.Lab, method, url string, body any) (scenario.Answer, error) {
	return scenario.Send(ctx, l.Aloud(l.HTTPClient()), method, url, body)
}

// must is send for what has to succeed.
func must(ctx context.Context, l *lab.Lab, method, url string, body any) error {
	_, err := lab.MustSendJSON(ctx, l.HTTPClient(), method, url, body)
	return err
}

// create makes an object that has to be accepted.
func create(ctx context.Context, l *lab.Lab, url string, body any) error {
	return must(ctx, l, http.MethodPost, url, body)
}

// refused shows an answer: its code, and why.
func refused(l *lab.Lab, a scenario.Answer) {
	l.WireWhole(a.String() + " " + strings.Join(a.Refusal(), "; "))
}

// findKubectl is the machine's kubectl, or the one that this repository builds when there is none.
var findKubectl = sync.OnceValues(func() (string, error) { return lab.FindKubectl(context.Background(), os.Stderr) })

// kubectl applies an object, and returns what kubectl said.
func kubectl(ctx context.Context, l *lab.Lab, manifest string) (said string, err error) {
	binary, err := findKubectl()
	if err != nil {
		return "", err
	}
	cache, err := os.MkdirTemp("", "kubectl-cache-") // or it would answer from what it knows of another server
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(cache)
	k := lab.Kubectl{Binary: binary, Kubeconfig: l.Kubeconfig, Namespace: l.Namespace, Cache: cache}
	out, err := k.Command(ctx, manifest, "apply", "-f", "-").CombinedOutput()
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil && len(out) == 0 {
		return "", err
	}
	return string(out), nil // a refusal is what is to be seen
}

// do calls functions until one fails.
func do(all ...func() error) error {
	for _, f := range all {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// refusedOr shows an answer: that it was yes, or why not.
func refusedOr(l *lab.Lab, a scenario.Answer) {
	if a.OK() {
		l.Wire("%s", a)
		return
	}
	refused(l, a)
}
