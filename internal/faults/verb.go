package faults

import (
	"net/http"
	"slices"
	"strings"
)

// Verb is what a request asks for.
type Verb string

const (
	// List is a GET of a collection.
	List Verb = "LIST"
	// Watch is a GET with watch=true, or of the deprecated path that says so itself: /api/v1/watch/configmaps.
	Watch Verb = "WATCH"
)

// VerbOf says what a GET of a collection asks for, as kube-apiserver reads it: each value of watch but 0 and false,
// also none, is a watch (apimachinery's runtime.Convert_Slice_string_To_bool).
func VerbOf(r *http.Request) Verb {
	if values := r.URL.Query()["watch"]; len(values) > 0 && values[0] != "0" && !strings.EqualFold(values[0], "false") {
		return Watch
	}
	if _, old := CollectionPath(r.URL.Path); old {
		return Watch
	}
	return List
}

// CollectionPath is the path of the collection that a request is for. It differs from the request's own, and old is
// true, where that is a deprecated one of a watch, which has watch behind the version.
func CollectionPath(path string) (collection string, old bool) {
	parts := strings.Split(path, "/")
	at := 3 // of "", "api", "v1", "watch"
	if len(parts) > 1 && parts[1] == "apis" {
		at++
	}
	if len(parts) <= at+1 || parts[1] != "api" && parts[1] != "apis" || parts[at] != "watch" {
		return path, false
	}
	return strings.Join(slices.Delete(parts, at, at+1), "/"), true
}
