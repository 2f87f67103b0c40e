package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/install"
	before "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// object is an object as JSON has it.
type object = writes.Object

// installBook applies the book's CRDs, which stay.
func installBook(ctx context.Context, l *lab.Lab) error {
	over, err := dynamic.NewForConfigAndClient(before.Config(l), l.HTTPClient())
	if err != nil {
		return err
	}
	return install.CRDs(ctx, over)
}

// quietly sends without a word.
func quietly(l *lab.Lab) *scenario.Wire { return &scenario.Wire{Client: l.HTTPClient()} }

// aloud shows what it sends, and of a long body these fields.
func aloud(l *lab.Lab, fields ...string) *scenario.Wire {
	return &scenario.Wire{Client: l.AloudParts(l.HTTPClient(), fields...)}
}

// clientOf is controller-runtime's client over an HTTP client. It reads from the API server. Without a mapper it
// makes its own.
func clientOf(l *lab.Lab, over *http.Client, mapper meta.RESTMapper) (client.Client, error) {
	return client.New(before.Config(l), client.Options{HTTPClient: over, Scheme: scenario.Known(), Mapper: mapper})
}

// processes is where the Processes of the run are.
func processes(l *lab.Lab) string { return scenario.Process().URL(l.Server.String(), l.Namespace) }

// answered shows an answer: that it was yes, or why not.
func answered(l *lab.Lab, a scenario.Answer) {
	if a.OK() {
		l.Wire("%s", a)
		return
	}
	l.WireWhole(a.String() + " " + strings.Join(a.Refusal(), "; "))
}

// orNothing is a value as text.
func orNothing(value any) string {
	if value == nil || value == "" {
		return "nothing"
	}
	return fmt.Sprint(value)
}
