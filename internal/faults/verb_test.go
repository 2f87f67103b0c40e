package faults_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// What is a watch to kube-apiserver is one here.
func TestVerbOf(t *testing.T) {
	for path, want := range map[string]faults.Verb{
		"/api/v1/configmaps":                      faults.List,
		"/api/v1/configmaps?watch=true":           faults.Watch,
		"/api/v1/configmaps?watch=1":              faults.Watch,
		"/api/v1/configmaps?watch":                faults.Watch,
		"/api/v1/configmaps?watch=":               faults.Watch,
		"/api/v1/configmaps?watch=0":              faults.List,
		"/api/v1/configmaps?watch=false":          faults.List,
		"/api/v1/configmaps?watch=False":          faults.List, // as Python writes it
		"/api/v1/configmaps?watch=false&watch=1":  faults.List,
		"/api/v1/watch/configmaps":                faults.Watch,
		"/api/v1/watch/configmaps?watch=false":    faults.Watch, // kube-apiserver does not look at it here
		"/api/v1/watch/namespaces/tea/configmaps": faults.Watch,
		"/apis/apps/v1/watch/deployments":         faults.Watch,
		"/apis/watch/v1/deployments":              faults.List,
		"/api/v1/namespaces/watch/configmaps":     faults.List,
		"/api/v1/watch":                           faults.List,
		"/":                                       faults.List,
	} {
		require.Equal(t, want, faults.VerbOf(httptest.NewRequest(http.MethodGet, path, nil)), path)
	}
}

func TestCollectionPath(t *testing.T) {
	for path, want := range map[string]string{
		"/api/v1/watch/namespaces/tea/configmaps/menu":   "/api/v1/namespaces/tea/configmaps/menu",
		"/apis/apps/v1/watch/namespaces/tea/deployments": "/apis/apps/v1/namespaces/tea/deployments",
		"/apis/apps/v1/namespaces/watch/deployments":     "",
		"/api/v1/namespaces/tea/configmaps":              "",
		"/logs/v1/watch/configmaps":                      "",
		"/api/v1/watch":                                  "",
		"":                                               "",
	} {
		got, old := faults.CollectionPath(path)
		require.Equal(t, want != "", old, path)
		if want == "" {
			want = path
		}
		require.Equal(t, want, got)
	}
}
