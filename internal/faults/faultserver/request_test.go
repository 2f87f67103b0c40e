package faultserver

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

func TestWhatCounts(t *testing.T) {
	for path, want := range map[string]string{
		"/api/v1/configmaps":                                          "configmaps",
		"/api/v1/namespaces/tea/configmaps?watch=true":                "configmaps",
		"/api/v1/namespaces/tea/configmaps/menu":                      "",
		"/api/v1/namespaces/tea/configmaps/menu?watch=true":           "", // the object: nothing watches here
		"/api/v1/watch/configmaps":                                    "configmaps",
		"/api/v1/watch/namespaces/tea/configmaps":                     "configmaps",
		"/api/v1/watch/namespaces/tea/configmaps/menu":                "configmaps",
		"/api/v1/watch/namespaces":                                    "namespaces",
		"/api/v1/watch/namespaces/tea":                                "namespaces",
		"/apis/apps/v1/watch/deployments":                             "deployments.apps",
		"/api/v1/configmaps/":                                         "configmaps",
		"/api/v1/namespaces":                                          "namespaces",
		"/api/v1/namespaces/tea":                                      "",
		"/api/v1/namespaces/tea/status":                               "",
		"/apis/apps/v1/deployments":                                   "deployments.apps",
		"/apis/apps/v1/namespaces/tea/deployments?limit=500":          "deployments.apps",
		"/apis/apps/v1/namespaces/tea/deployments/web/scale":          "",
		"/apis/coordination.k8s.io/v1/namespaces/x/leases/controller": "",
		"/api/v1/namespaces/tea/pods/web/log?follow=true":             "",
		"/api":           "",
		"/api/v1":        "",
		"/apis/apps/v1":  "",
		"/version":       "",
		"/":              "",
		"/openapi/v3":    "",
		"/api/v1/%1b[2J": "",
		"/api/v1//":      "",
		"/api/v1/watch":  "watch", // and the server has none
		"/api//v1/pods":  "",
		"//api/v1/pods":  "",
	} {
		got, ok := collectionOf(httptest.NewRequest(http.MethodGet, path, nil))
		require.Equal(t, want != "", ok, path)
		if ok {
			require.Equal(t, want, got, path)
		}
	}
	_, ok := collectionOf(httptest.NewRequest(http.MethodDelete, "/api/v1/namespaces/tea/configmaps", nil))
	require.False(t, ok)
}

func TestJSONInPlaceOfProtobuf(t *testing.T) {
	for accept, want := range map[string]string{
		"application/vnd.kubernetes.protobuf,application/json": "application/json",
		"application/cbor, application/json;as=Table;v=v1;g=meta.k8s.io,application/json": "" +
			"application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
		"*/*": "application/json",
		"":    "application/json",
	} {
		h := http.Header{"Accept": {accept}}
		require.True(t, inJSON(h))
		require.Equal(t, want, h.Get("Accept"), accept)
	}
	h := http.Header{"Accept": {"application/vnd.kubernetes.protobuf"}}
	require.False(t, inJSON(h))
	require.Equal(t, "application/vnd.kubernetes.protobuf", h.Get("Accept"), "it is the program's decision")
}

func TestAProgramIsShownShort(t *testing.T) {
	require.Equal(t, "kube-controller-manager", program(
		"kube-controller-manager/v1.37.1 (linux/amd64) kubernetes/abc/system:serviceaccount:kube-system:x"))
	require.Equal(t, "", program(""))
	require.Equal(t, "?[2J", program("\x1b[2J/1"))
	require.Equal(t, "?resourceVersion=5&labelSelector=a%3Db",
		shownQuery("allowWatchBookmarks=true&resourceVersion=5&labelSelector=a%3Db&timeoutSeconds=300&watch=true", false))
}

// What a program asks for in two ways is the same to it.
func TestWhatIsAskedForAgain(t *testing.T) {
	ask := func(target, accept string) *asked {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.Header.Set("Accept", accept)
		name, _ := collectionOf(r)
		return &asked{resource: name, path: r.URL.Path, query: r.URL.Query(), form: form(r.Header)}
	}
	const table = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"
	list := ask("/api/v1/configmaps?limit=500", "application/json")
	require.True(t, list.same(ask("/api/v1/watch/configmaps?resourceVersion=5", "*/*")), "the deprecated path")
	require.True(t, list.same(ask("/api/v1/configmaps/", "*/*")))
	require.False(t, list.same(ask("/api/v1/namespaces/tea/configmaps", "")))
	require.False(t, list.same(ask("/api/v1/configmaps?labelSelector=a%3Db", "")))
	require.False(t, list.same(ask("/api/v1/configmaps", table)), "kubectl beside an informer")
	require.True(t, ask("/api/v1/pods", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io").same(
		ask("/api/v1/pods?watch=1", "application/json;v=v1;g=meta.k8s.io;as=PartialObjectMetadata")))
}

// A process is known by its number, and else by the whole user agent, which says less.
func TestWhoSentARequest(t *testing.T) {
	for _, c := range []struct {
		a, b *asked
		want kinship
	}{
		{&asked{userAgent: "kubectl/1", process: 7}, &asked{userAgent: "kubectl/1", process: 7}, sameProcess},
		{&asked{userAgent: "kubectl/1", process: 7}, &asked{userAgent: "kubectl/1", process: 8}, strangers},
		{&asked{userAgent: "rest-client/2", process: 7}, &asked{userAgent: "http.rb/4", process: 7}, sameProcess},
		{&asked{userAgent: "kubectl/1", process: 7}, &asked{userAgent: "kubectl/1"}, namesakes},
		{&asked{userAgent: "kubectl/1"}, &asked{userAgent: "kubectl/1"}, namesakes},
		{&asked{userAgent: "kubectl/1"}, &asked{userAgent: "kubectl/2"}, strangers},
	} {
		require.Equal(t, c.want, c.a.sender(c.b), "%v %v", c.a, c.b)
		require.Equal(t, c.want, c.b.sender(c.a))
	}
}

// The report sends its reader to a demo for each kind.
func TestAChapterPlaysEachKind(t *testing.T) {
	for _, k := range faults.Kinds {
		for _, command := range []string{played(k), "go run ./chapters/" + reflector + " -fault " + string(k)} {
			chapter, name, _ := strings.Cut(strings.TrimPrefix(command, "go run ./chapters/"), " -fault ")
			code, err := os.ReadFile("../../../chapters/" + chapter + "/faults.go")
			require.NoError(t, err)
			require.True(t, strings.Contains(string(code), `"`+name+`"`) ||
				strings.Contains(string(code), "range faults.Kinds"), command)
		}
	}
}
