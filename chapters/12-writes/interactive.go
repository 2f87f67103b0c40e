package main

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	before "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// follow is -interactive: the reader changes a Process with kubectl, and after each write it is shown who owns what.
func follow(ctx context.Context, l *lab.Lab) error {
	if err := installBook(ctx, l); err != nil {
		return err
	}
	over, err := dynamic.NewForConfigAndClient(before.Config(l), l.HTTPClient())
	if err != nil {
		return err
	}
	made := scenario.Applied("mine", "ann", object{"command": "sleep", "gracePeriodSeconds": 5}, false)
	answer, err := quietly(l).Write(ctx, processes(l)+"/mine", made)
	if err != nil {
		return err
	}
	if !answer.OK() {
		return fmt.Errorf("%s: %s", answer, answer.Refusal())
	}
	l.Say("ann has applied a Process, mine. After each write it is shown who owns which field. In another terminal, " +
		"in this folder (what is refused shows there alone):")
	kc := l.Alias()
	const patch = `{"spec":{"gracePeriodSeconds":%d}}`
	manifest := `{"apiVersion":"scratch.example.com/v1alpha1","kind":"Process","metadata":{"name":"mine"},` +
		`"spec":{"gracePeriodSeconds":30}}`
	l.Command("%s get processes mine -o yaml --show-managed-fields", kc)
	l.Command("echo '%s' | %s apply --server-side --field-manager=bob -f -", manifest, kc)
	l.Command("echo '%s' | %s apply --server-side --field-manager=bob --force-conflicts -f -", manifest, kc)
	l.Command("%s patch processes mine --type=merge -p '%s'", kc, fmt.Sprintf(patch, 60))
	l.Command("%s patch processes mine --type=strategic -p '%s'", kc, fmt.Sprintf(patch, 70))
	l.Command("%s patch processes mine --subresource=status --type=merge -p '{\"status\":{\"pid\":4711}}'", kc)
	watch, err := over.Resource(v1alpha1.GroupVersion.WithResource("processes")).Namespace(l.Namespace).Watch(ctx,
		metav1.ListOptions{FieldSelector: "metadata.name=mine"})
	if err != nil {
		return err
	}
	defer watch.Stop()
	for event := range watch.ResultChan() {
		o, ok := event.Object.(*unstructured.Unstructured)
		if !ok {
			return fmt.Errorf("the watch has ended: %v", event.Object)
		}
		if err := owned(l, string(event.Type), o); err != nil {
			return err
		}
	}
	return nil // the watch ends with the reader's Ctrl-C
}

// owned shows all fields of an object that somebody owns.
func owned(l *lab.Lab, event string, o *unstructured.Unstructured) error {
	all, err := writes.Owners(o.GetManagedFields())
	if err != nil {
		return err
	}
	rows := [][]string{{"", "owned by"}}
	for i, owner := range all {
		if i > 0 && all[i-1].Field == owner.Field {
			continue
		}
		rows = append(rows, []string{owner.Field, by(all, owner.Field)})
	}
	l.Event(event, "mine, version %s", o.GetResourceVersion())
	l.Table(rows...)
	return nil
}
