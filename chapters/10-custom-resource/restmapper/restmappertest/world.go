package restmappertest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Server is where a [World] pretends to be.
const Server = "http://world.example.com"

// World is an API server that answers discovery and nothing else. It is an [http.RoundTripper], so that no connection
// and no goroutine is between a mapper and it.
type World struct {
	mutex  sync.Mutex // guards what is below it
	order  []schema.GroupVersion
	served map[schema.GroupVersion][]metav1.APIResource
	broken map[schema.GroupVersion]bool
	paths  []string
}

// NewWorld makes a server that serves nothing.
func NewWorld() *World {
	return &World{served: map[schema.GroupVersion][]metav1.APIResource{}, broken: map[schema.GroupVersion]bool{}}
}

// Client makes a client whose requests go to the world.
func (w *World) Client() *http.Client { return &http.Client{Transport: w} }

// Serve has a group version serve resources beside those that it serves. Of a group, what is served first is preferred.
func (w *World) Serve(gv schema.GroupVersion, resources ...metav1.APIResource) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if _, known := w.served[gv]; !known {
		w.order = append(w.order, gv)
	}
	w.served[gv] = append(w.served[gv], resources...)
}

// Remove ends a group version.
func (w *World) Remove(gv schema.GroupVersion) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	delete(w.served, gv)
	w.order = slices.DeleteFunc(w.order, func(other schema.GroupVersion) bool { return other == gv })
}

// Break has a group version answer 503, as one does whose own server is away, or mends it.
func (w *World) Break(gv schema.GroupVersion, away bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.broken[gv] = away
}

// Requests are the paths that were asked for since Requests was called last, in their order.
func (w *World) Requests() []string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	paths := w.paths
	w.paths = nil
	return paths
}

// RoundTrip implements [http.RoundTripper].
func (w *World) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.paths = append(w.paths, r.URL.Path)
	code, answer := w.at(r.URL.Path)
	body, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: code, Status: http.StatusText(code), Request: r,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(body))}, nil
}

// at is what the world says at a path.
func (w *World) at(path string) (code int, answer any) {
	switch path {
	case "/api":
		return http.StatusOK, w.legacy()
	case "/apis":
		return http.StatusOK, w.groups()
	}
	group, version, _ := strings.Cut(strings.TrimPrefix(path, "/apis/"), "/")
	gv := schema.GroupVersion{Group: group, Version: version}
	if legacy, is := strings.CutPrefix(path, "/api/"); is {
		gv = schema.GroupVersion{Version: legacy}
	}
	resources, known := w.served[gv]
	switch {
	case w.broken[gv]:
		return http.StatusServiceUnavailable, metav1.Status{Message: "away"}
	case !known:
		return http.StatusNotFound, metav1.Status{Message: "not here"}
	}
	return http.StatusOK, metav1.APIResourceList{GroupVersion: gv.String(), APIResources: resources}
}

func (w *World) legacy() (list metav1.APIVersions) {
	for _, gv := range w.order {
		if gv.Group == "" {
			list.Versions = append(list.Versions, gv.Version)
		}
	}
	return list
}

func (w *World) groups() (list metav1.APIGroupList) {
	for _, gv := range w.order {
		if gv.Group == "" {
			continue
		}
		version := metav1.GroupVersionForDiscovery{GroupVersion: gv.String(), Version: gv.Version}
		i := slices.IndexFunc(list.Groups, func(g metav1.APIGroup) bool { return g.Name == gv.Group })
		if i < 0 {
			i = len(list.Groups)
			list.Groups = append(list.Groups, metav1.APIGroup{Name: gv.Group, PreferredVersion: version})
		}
		list.Groups[i].Versions = append(list.Groups[i].Versions, version)
	}
	return list
}
