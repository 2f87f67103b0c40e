package apiserver

import (
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
)

var verbs = metav1.Verbs{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}

// discovery serves what a client asks before anything else: which versions, groups and resources
// there are. kubectl turns "cm" into /api/v1/.../configmaps with it.
func (s *Server) discovery() {
	serve := func(pattern string, answer func(r *http.Request) any) {
		s.mux.HandleFunc("GET "+pattern, func(w http.ResponseWriter, r *http.Request) {
			writeJSON(w, http.StatusOK, answer(r))
		})
	}
	serve("/version", func(*http.Request) any {
		return version.Info{Major: "1", Minor: "37", GitVersion: "v1.37.1-scratch"}
	})
	serve("/api", func(*http.Request) any {
		return metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"}}
	})
	serve("/apis", func(*http.Request) any { return s.groups() })
	serve("/api/{version}", func(r *http.Request) any { return s.kinds("", r.PathValue("version")) })
	serve("/apis/{group}/{version}", func(r *http.Request) any {
		return s.kinds(r.PathValue("group"), r.PathValue("version"))
	})
	serve("/openapi/v3", func(*http.Request) any { return s.documents() })
	serve("/openapi/v3/{root...}", func(r *http.Request) any { return s.document("/" + r.PathValue("root")) })
	// A namespace is part of a name here and nothing more, so every one exists. kubectl asks, to word
	// a 404 about an object in it.
	serve("/api/{version}/namespaces/{name}", func(r *http.Request) any {
		return object{"kind": "Namespace", "apiVersion": "v1", "metadata": object{"name": r.PathValue("name")}}
	})
	for _, path := range []string{"/healthz", "/livez", "/readyz"} {
		s.mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok")) })
	}
}

// installed is a copy of what is served at present.
func (s *Server) installed() []Resource {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.resources)
}

func (s *Server) groups() metav1.APIGroupList {
	list := metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"},
		Groups: []metav1.APIGroup{}}
	for _, r := range s.installed() {
		v := metav1.GroupVersionForDiscovery{GroupVersion: r.groupVersion().String(), Version: r.Version}
		i := slices.IndexFunc(list.Groups, func(g metav1.APIGroup) bool { return g.Name == r.Group })
		switch {
		case r.Group == "": // the core group is under /api
		case i < 0:
			list.Groups = append(list.Groups, metav1.APIGroup{
				Name: r.Group, PreferredVersion: v, Versions: []metav1.GroupVersionForDiscovery{v}})
		case !slices.Contains(list.Groups[i].Versions, v):
			list.Groups[i].Versions = append(list.Groups[i].Versions, v)
		}
	}
	return list
}

func (s *Server) kinds(group, version string) metav1.APIResourceList {
	list := metav1.APIResourceList{
		TypeMeta:     metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
		GroupVersion: schema.GroupVersion{Group: group, Version: version}.String(),
		APIResources: []metav1.APIResource{},
	}
	for _, r := range s.installed() {
		if r.Group == group && r.Version == version {
			list.APIResources = append(list.APIResources, metav1.APIResource{
				Name: r.Plural, SingularName: strings.ToLower(r.Kind), Kind: r.Kind,
				Namespaced: !r.ClusterScoped, ShortNames: r.ShortNames, Verbs: verbs})
		}
	}
	return list
}
