// Package listwatchtest is what tests of a client that lists and watches stand on: an API server for
// ConfigMaps in one map, for tests that want seconds to pass in no time. It runs in a bubble of
// testing/synctest, where the real one cannot. It does what this chapter needs and no more: lists in
// pages, watches, streaming lists, bookmarks; it forgets nothing. Chapter 03 builds a real one.
package listwatchtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// object is an object as JSON has it.
type object = map[string]any

// change is one entry of the history.
type change struct {
	revision int
	kind     string
	object   object
}

// Server is the API server. The zero value is not ready: use NewServer.
type Server struct {
	// BookmarkEvery is the time between bookmarks of a watch that asked for them.
	BookmarkEvery time.Duration

	mu       sync.Mutex
	revision int
	objects  map[string]object
	history  []change
	pages    map[string][]object
	changed  chan struct{}
}

// NewServer returns an empty server.
func NewServer() *Server {
	return &Server{
		BookmarkEvery: time.Minute, revision: 100,
		objects: map[string]object{}, pages: map[string][]object{}, changed: make(chan struct{}),
	}
}

// ServeHTTP serves any path that ends in /configmaps or /configmaps/NAME as the same collection.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, name, _ := strings.Cut(r.URL.Path, "/configmaps")
	name = strings.TrimPrefix(name, "/")
	q := r.URL.Query()
	switch {
	case r.Method == http.MethodGet && q.Get("watch") == "true":
		s.watch(w, r)
	case r.Method == http.MethodGet:
		s.list(w, q.Get("continue"), q.Get("limit"))
	case r.Method == http.MethodDelete:
		s.write(w, "DELETED", name, nil)
	default:
		var o object
		if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		kind := map[string]string{http.MethodPost: "ADDED", http.MethodPut: "MODIFIED"}[r.Method]
		s.write(w, kind, o["metadata"].(object)["name"].(string), o)
	}
}

// write makes one change and tells the watches.
func (s *Server) write(w http.ResponseWriter, kind, name string, o object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, exists := s.objects[name]
	if exists == (kind == "ADDED") {
		status(w, http.StatusConflict, "Conflict", name+" exists, or does not")
		return
	}
	s.revision++
	meta := object{"name": name, "namespace": "default", "uid": fmt.Sprint("uid-", s.revision)}
	if exists {
		meta = maps.Clone(old["metadata"].(object))
	}
	if kind == "DELETED" {
		o = maps.Clone(old)
	}
	meta["resourceVersion"] = strconv.Itoa(s.revision)
	o["kind"], o["apiVersion"], o["metadata"] = "ConfigMap", "v1", meta
	if s.objects[name] = o; kind == "DELETED" {
		delete(s.objects, name)
	}
	s.history = append(s.history, change{s.revision, kind, o})
	close(s.changed)
	s.changed = make(chan struct{})
	reply(w, http.StatusOK, o)
}

// list answers with a page; the token of the next names what is kept for it.
func (s *Server) list(w http.ResponseWriter, token, limit string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	items, revision := s.sorted(), s.revision
	if token != "" {
		var ok bool
		if items, ok = s.pages[token]; !ok {
			status(w, http.StatusGone, "Expired", "The provided continue parameter is too old")
			return
		}
		fmt.Sscanf(token, "%d-", &revision)
	}
	meta := object{"resourceVersion": strconv.Itoa(revision)}
	if n, _ := strconv.Atoi(limit); n > 0 && n < len(items) {
		next := fmt.Sprintf("%d-%d", revision, len(items)-n)
		s.pages[next] = items[n:]
		meta["continue"] = next
		items = items[:n]
	}
	reply(w, http.StatusOK, object{"kind": "ConfigMapList", "apiVersion": "v1", "metadata": meta, "items": items})
}

// sorted returns the objects in the order of their names.
func (s *Server) sorted() []object {
	return slices.SortedFunc(maps.Values(s.objects), func(a, b object) int {
		return cmp.Compare(a["metadata"].(object)["name"].(string), b["metadata"].(object)["name"].(string))
	})
}

// watch sends what is asked for at the beginning, then each change.
func (s *Server) watch(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	send := func(kind string, o any) {
		json.NewEncoder(w).Encode(object{"type": kind, "object": o})
		w.(http.Flusher).Flush()
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	w.(http.Flusher).Flush()

	s.mu.Lock()
	sent, _ := strconv.Atoi(q.Get("resourceVersion"))
	var initial []object
	if sent == 0 {
		initial, sent = s.sorted(), s.revision
	}
	s.mu.Unlock()
	for _, o := range initial {
		send("ADDED", o)
	}
	if q.Get("sendInitialEvents") == "true" {
		send("BOOKMARK", bookmark(sent, object{"k8s.io/initial-events-end": "true"}))
	}
	seconds, _ := strconv.Atoi(q.Get("timeoutSeconds"))
	timeout := time.NewTimer(time.Duration(cmp.Or(seconds, 1800)) * time.Second)
	defer timeout.Stop()
	for {
		s.mu.Lock()
		changes, changed := s.since(sent), s.changed
		s.mu.Unlock()
		for _, c := range changes {
			send(c.kind, c.object)
			sent = c.revision
		}
		var mark <-chan time.Time
		if q.Get("allowWatchBookmarks") == "true" {
			mark = time.After(s.BookmarkEvery)
		}
		select {
		case <-changed:
		case <-mark:
			send("BOOKMARK", bookmark(sent, nil))
		case <-timeout.C:
			return
		case <-r.Context().Done():
			return
		}
	}
}

// since returns the changes after a revision.
func (s *Server) since(revision int) []change {
	i, _ := slices.BinarySearchFunc(s.history, revision+1,
		func(c change, r int) int { return cmp.Compare(c.revision, r) })
	return slices.Clone(s.history[i:])
}

func bookmark(revision int, annotations object) object {
	meta := object{"resourceVersion": strconv.Itoa(revision)}
	if annotations != nil {
		meta["annotations"] = annotations
	}
	return object{"kind": "ConfigMap", "apiVersion": "v1", "metadata": meta}
}

func failure(code int, reason, message string) object {
	return object{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason,
		"message": message}
}

func status(w http.ResponseWriter, code int, reason, message string) {
	reply(w, code, failure(code, reason, message))
}

func reply(w http.ResponseWriter, code int, body object) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(body)
}
