package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	before "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// apart is step 5: which part of an object each of its URLs writes.
func apart(ctx context.Context, l *lab.Lab) error {
	if err := installBook(ctx, l); err != nil {
		return err
	}
	made := writes.Merge(set("parts", 1), object{"metadata": object{"labels": object{"tier": "1"}},
		"status": object{"replicas": 1}})
	answer, err := scenario.Answer{}, error(nil)
	if answer, err = before.Send(ctx, l.HTTPClient(), http.MethodPost, sets(l), made); err != nil {
		return err
	}
	rows := [][]string{{"", "the label", "spec.replicas", "status.replicas", "generation"}}
	rows = append(rows, parts("create, with all at 1", answer))
	for n, w := range []struct{ what, path, mediaType string }{
		{"update, with all at 2", "", ""},
		{"update of /status, with all at 3", "/status", ""},
		{"merge patch, with all at 4", "", string(types.MergePatchType)},
		{"merge patch of /status, with all at 5", "/status", string(types.MergePatchType)},
		{"merge patch of /scale, with all at 6", "/scale", string(types.MergePatchType)},
	} {
		if answer, err = all(ctx, l, answer, n+2, w.path, w.mediaType); err != nil {
			return err
		}
		rows = append(rows, parts(w.what, answer))
	}
	l.Table(rows...)
	l.Conclude("Each URL of a custom resource writes its part, and drops the rest without a word. So a change of both is " +
		"two requests, and between them there is an object that has one half. The generation counts changes of the spec.")
	return nil
}

// sets is where the ProcessSets of the run are.
func sets(l *lab.Lab) string {
	return l.Server.String() + "/apis/scratch.example.com/v1alpha1/namespaces/" + l.Namespace + "/processsets"
}

// set is a ProcessSet.
func set(name string, replicas int) object {
	return object{"apiVersion": "scratch.example.com/v1alpha1", "kind": "ProcessSet", "metadata": object{"name": name},
		"spec": object{"replicas": replicas, "selector": object{"app": name}, "template": object{
			"labels": object{"app": name}, "spec": object{"command": "sleep"}}}}
}

// all writes a number to label, spec and status, through one URL, and returns the object that is there then.
func all(ctx context.Context, l *lab.Lab, last scenario.Answer, n int, path, mediaType string) (
	a scenario.Answer, err error) {
	wanted := object{"metadata": object{"labels": object{"tier": fmt.Sprint(n)}},
		"spec": object{"replicas": n}, "status": object{"replicas": n}}
	w := writes.Write{Method: http.MethodPatch, MediaType: mediaType}
	if mediaType == "" {
		w.Method, w.MediaType = http.MethodPut, "application/json"
		wanted = writes.Merge(last.Object().Object, wanted)
	}
	w.Body = []byte(before.JSON(wanted))
	url := sets(l) + "/parts"
	if a, err = quietly(l).Write(ctx, url+path, w); err != nil {
		return a, err
	}
	if !a.OK() {
		return a, fmt.Errorf("%s: %s", a, a.Refusal())
	}
	return before.Send(ctx, l.HTTPClient(), http.MethodGet, url, nil) // scale answers with another kind
}

// parts is a row of the table.
func parts(what string, a scenario.Answer) []string {
	var s v1alpha1.ProcessSet
	if err := json.Unmarshal(a.Body, &s); err != nil || !a.OK() {
		return []string{what, a.String()}
	}
	replicas := "none"
	if s.Spec.Replicas != nil {
		replicas = fmt.Sprint(*s.Spec.Replicas)
	}
	return []string{what, s.Labels["tier"], replicas, fmt.Sprint(s.Status.Replicas), fmt.Sprint(s.Generation)}
}
