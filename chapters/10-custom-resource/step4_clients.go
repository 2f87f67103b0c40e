package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scheme"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// crowd is how many Processes are listed, and the label by which.
const (
	crowd      = 100
	crowdLabel = "crowd=yes"
)

// listing is what a client made of the answer to its list.
type listing struct {
	name          string
	list          func(context.Context, *http.Client) (objects int, err error)
	item          string // the Go type of an item
	command, team string // of an item, as a program reads it
}

// clients is step 4: who sends what, and gets how much.
func (t *tour) clients(ctx context.Context, l *lab.Lab) error {
	for i := range crowd {
		o := booked("Process", fmt.Sprintf("p-%02d", i), object{"command": "sleep", "args": []any{"60"},
			"env": []any{object{"name": "NUMBER", "value": fmt.Sprint(i)}}})
		o["metadata"].(object)["labels"] = object{"crowd": "yes", "team": fmt.Sprint("team-", i%10)}
		if err := create(ctx, l, book(l, "processes"), o); err != nil {
			return err
		}
	}
	rows := [][]string{{"client", "an item is", "spec.command", "labels", "bytes"}}
	for _, c := range threeClients(l) {
		counter, counted := scenario.NewCounter(l.HTTPClient())
		objects, err := c.list(ctx, l.Aloud(counted))
		if err != nil {
			return fmt.Errorf("the %s client: %w", c.name, err)
		}
		for mediaType := range strings.SplitSeq(counter.Accept(), ",") {
			l.More("Accept: %s", strings.TrimSpace(mediaType))
		}
		l.Wire("%d objects, %s bytes", objects, thousands(counter.Bytes()))
		rows = append(rows, []string{c.name, c.item, c.command, c.team, thousands(counter.Bytes())})
	}
	l.Table(rows...)
	l.Conclude("Typed and dynamic differ in what they make of the same bytes. The metadata-only client asks for other " +
		"bytes: the server leaves out spec and status, and can send protobuf, which it can't for a custom resource itself.")
	return nil
}

// threeClients list the same.
func threeClients(l *lab.Lab) []*listing {
	resource := v1alpha1.GroupVersion.WithResource("processes")
	options := metav1.ListOptions{LabelSelector: crowdLabel}
	typed := &listing{name: "typed", item: "*v1alpha1.Process", command: "item.Spec.Command", team: "item.Labels"}
	typed.list = func(ctx context.Context, client *http.Client) (int, error) {
		s := scheme.New()
		s.AddKnownTypes(v1alpha1.GroupVersion, &v1alpha1.Process{}, &v1alpha1.ProcessList{})
		c, err := scenario.Typed(l, client, s, v1alpha1.GroupVersion)
		if err != nil {
			return 0, err
		}
		var list v1alpha1.ProcessList
		err = c.Get().Namespace(l.Namespace).Resource("processes").
			VersionedParams(&options, metav1.ParameterCodec).Do(ctx).Into(&list)
		return len(list.Items), err
	}
	untyped := &listing{name: "dynamic", item: "map[string]any", command: `NestedString(...)`, team: "GetLabels()"}
	untyped.list = func(ctx context.Context, client *http.Client) (int, error) {
		c, err := dynamic.NewForConfigAndClient(scenario.Config(l), client)
		if err != nil {
			return 0, err
		}
		list, err := c.Resource(resource).Namespace(l.Namespace).List(ctx, options)
		if err != nil {
			return 0, err
		}
		return len(list.Items), nil
	}
	partial := &listing{name: "metadata-only", item: "*PartialObjectMetadata", command: "no", team: "item.Labels"}
	partial.list = func(ctx context.Context, client *http.Client) (int, error) {
		c, err := metadata.NewForConfigAndClient(scenario.Config(l), client)
		if err != nil {
			return 0, err
		}
		list, err := c.Resource(resource).Namespace(l.Namespace).List(ctx, options)
		if err != nil {
			return 0, err
		}
		return len(list.Items), nil
	}
	return []*listing{typed, untyped, partial}
}

// thousands is a number with a comma in it.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
