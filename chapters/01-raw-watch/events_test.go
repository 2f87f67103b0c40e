package main

import (
	"encoding/json"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// DELETED does not say that an object is gone, nor ADDED that it is new: both are about the watch's selector.
//
// covers: B-04
func TestALabelEditMakesALivingObjectDeleted(t *testing.T) {
	f := setup(t)
	version := f.create("a", nil)
	s := f.watch(t, watch.Options{ResourceVersion: version, LabelSelector: "drink=tea"})
	f.label("a", "tea")
	f.label("a", "coffee")
	require.Equal(t, []string{"ADDED a"}, events(t, s, 1), "one object, created before the watch began")
	event, meta, err := next(s)
	require.NoError(t, err)
	require.Equal(t, watch.Deleted, event.Type)
	require.Equal(t, "tea", meta.Labels["drink"], "a DELETED event has the last state that the selector matched")

	var now struct{ Metadata watch.Meta }
	f.Must(http.MethodGet, f.path+"/a", nil, &now)
	require.Equal(t, "coffee", now.Metadata.Labels["drink"], "it lives")
	require.Equal(t, now.Metadata.ResourceVersion, meta.ResourceVersion, "with the version of the edit, to resume from")
}

// The five types of event, each from the real server. An event is a document with two keys.
//
// covers: S3-19
func TestTheFiveTypes(t *testing.T) {
	f := setup(t)
	f.create("a", nil)
	s := f.watch(t, watch.Options{AllowWatchBookmarks: true, SendInitialEvents: "true", ResourceVersionMatch: "NotOlderThan"})
	require.Equal(t, []string{"ADDED a"}, events(t, s, 1))
	for last := false; !last; { // the one that ends the initial events comes at once; others come when the server likes
		mark, meta, err := next(s)
		require.NoError(t, err)
		require.Equal(t, watch.Bookmark, mark.Type)
		require.Empty(t, meta.Name, "a bookmark is no object")
		require.NotEmpty(t, meta.ResourceVersion, "it is a position")
		last = meta.Annotations["k8s.io/initial-events-end"] == "true"
	}
	f.label("a", "tea")
	f.Must(http.MethodDelete, f.path+"/a", nil, nil)
	require.Equal(t, []string{"MODIFIED a", "DELETED a"}, events(t, s, 2))
	require.Equal(t, watch.Error, forgotten(t, f).Type)
}

// An error can come after the 200: whoever checks the status code only never sees it.
//
// covers: S3-19
func TestAnErrorInsideA200(t *testing.T) {
	f := setup(t)
	var status *watch.StatusError
	require.ErrorAs(t, forgotten(t, f).Err(), &status)
	require.Equal(t, 410, status.Code)
	require.Equal(t, "Expired", status.Reason)
	require.Contains(t, status.Message, "too old resource version: 1 (")
}

// forgotten watches from a version that is older than the server's memory of the kind, and returns the first event. The
// memory of a kind begins when the kind does, so a kind of its own has forgotten all that was before it.
func forgotten(t *testing.T, f *fixture) watch.Event {
	t.Helper()
	plural := "drinks" + lab.Suffix() // of the cluster, not of the namespace
	const group = "test.scratch.example.com"
	f.Must(http.MethodPost, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd(plural, group), nil)
	t.Cleanup(func() {
		// The test's context has ended by now.
		req, err := http.NewRequest(http.MethodDelete,
			f.Server.String()+"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"+plural+"."+group, nil)
		require.NoError(t, err)
		resp, err := f.HTTPClient().Do(req)
		require.NoError(t, err)
		resp.Body.Close()
	})
	served(t, f, plural+"."+group)
	var s *watch.Stream
	require.Eventually(t, func() (ok bool) { // the first answers are 429: the memory is being made
		var err error
		s, err = f.client.Watch(t.Context(), watch.Path(group, "v1", f.Namespace, plural), watch.Options{ResourceVersion: "1"})
		return err == nil
	}, 20*time.Second, 50*time.Millisecond, "a watch that is answered with 200")
	defer s.Close()
	event, err := s.Next()
	require.NoError(t, err)
	return event
}

// served waits, by a watch, until the server says that the kind is established.
func served(t *testing.T, f *fixture, name string) {
	t.Helper()
	s, err := f.client.Watch(t.Context(), "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
		watch.Options{FieldSelector: "metadata.name=" + name})
	require.NoError(t, err)
	defer s.Close()
	for {
		event, err := s.Next()
		require.NoError(t, err)
		var o struct {
			Status struct {
				Conditions []struct{ Type, Status string }
			}
		}
		require.NoError(t, json.Unmarshal(event.Object, &o))
		for _, c := range o.Status.Conditions {
			if c.Type == "Established" && c.Status == "True" {
				return
			}
		}
	}
}

// crd is the smallest CustomResourceDefinition.
func crd(plural, group string) object {
	return object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": object{"name": plural + "." + group},
		"spec": object{
			"group": group, "scope": "Namespaced",
			"names": object{"plural": plural, "kind": "D" + plural[1:]},
			"versions": []object{{
				"name": "v1", "served": true, "storage": true,
				"schema": object{"openAPIV3Schema": object{"type": "object"}},
			}},
		},
	}
}

// number reads a resourceVersion as a number, which a client must not do outside of a test about the store.
func number(t *testing.T, version string) int {
	t.Helper()
	n, err := strconv.Atoi(version)
	require.NoError(t, err)
	return n
}
