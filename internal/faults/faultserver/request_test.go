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
		"/api/v1/namespaces/tea/configmaps/menu?watch=true":           "configmaps",
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
