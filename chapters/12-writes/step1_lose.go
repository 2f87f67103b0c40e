package main

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// lose is step 1: the same two writers, in three ways.
func lose(ctx context.Context, l *lab.Lab) error {
	s := scenario.PodTemplate()
	over := aloud(l, "metadata.resourceVersion", "template.spec.hostname", "template.spec.subdomain")
	for _, name := range []string{"update without a version", "update", "merge patch"} {
		way, err := writes.Named(name)
		if err != nil {
			return err
		}
		l.Say("%s", way.Name)
		url := s.URL(l.Server.String(), l.Namespace)
		o, err := scenario.Forced(ctx, quietly(l), over, url, s, s.Changes[0], way)
		if err != nil {
			return err
		}
		for w, writer := range scenario.Writers {
			l.Wire("to %s: %d", writer, o.Codes[w])
		}
		spec, _, err := unstructured.NestedMap(o.Final, "template", "spec")
		if err != nil {
			return err
		}
		l.Became("hostname is %s, subdomain is %s", orNothing(spec["hostname"]), orNothing(spec["subdomain"]))
	}
	l.Conclude("A write that says which version it was made from is refused if that is no longer the one. A write without " +
		"it is accepted, and takes with it whatever it did not know.")
	return nil
}
