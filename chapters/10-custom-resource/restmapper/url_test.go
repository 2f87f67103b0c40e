package restmapper_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"pgregory.net/rapid"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/restmapper"
)

// mapping is one as a mapper makes it.
func mapping(gv schema.GroupVersion, kind, resource string, scope meta.RESTScope) *meta.RESTMapping {
	return &meta.RESTMapping{Resource: gv.WithResource(resource), GroupVersionKind: gv.WithKind(kind), Scope: scope}
}

func TestURL(t *testing.T) {
	dolls := mapping(toysV1, "Doll", "dolls", meta.RESTScopeNamespace)
	pods := mapping(core, "Pod", "pods", meta.RESTScopeNamespace)
	saws := mapping(toolsV1, "Saw", "saws", meta.RESTScopeRoot)
	const namespaced = "/apis/toys.example.com/v1/namespaces/shop/dolls"
	for _, c := range []struct {
		mapping         *meta.RESTMapping
		namespace, name string
		subresources    []string
		want, problem   string
	}{
		{mapping: dolls, want: "/apis/toys.example.com/v1/dolls"},
		{mapping: dolls, namespace: "shop", want: namespaced},
		{mapping: dolls, namespace: "shop", name: "anna", want: namespaced + "/anna"},
		{mapping: dolls, namespace: "shop", name: "anna", subresources: []string{"status"},
			want: namespaced + "/anna/status"},
		{mapping: pods, namespace: "shop", name: "a", subresources: []string{"proxy", "x"},
			want: "/api/v1/namespaces/shop/pods/a/proxy/x"},
		{mapping: saws, want: "/apis/tools.example.com/v1/saws"},
		{mapping: saws, namespace: "shop", name: "system:saw", want: "/apis/tools.example.com/v1/saws/system:saw"},
		{mapping: dolls, name: "anna", problem: `Doll "anna" is in a namespace, and none is given`},
		{mapping: saws, subresources: []string{"status"},
			problem: "the subresource status of no Saw: an object's name is missing"},
		{mapping: saws, name: "..", problem: `".." can be no part of a path: may not be '..'`},
		{mapping: dolls, namespace: "a/b", problem: `"a/b" can be no part of a path: may not contain '/'`},
		{mapping: saws, name: "a", subresources: []string{""}, problem: `"" can be no part of a path: it is empty`},
	} {
		for _, server := range []string{"https://127.0.0.1:6443", "https://example.com/clusters/a/"} {
			got, err := restmapper.URL(server, c.mapping, c.namespace, c.name, c.subresources...)
			if c.problem != "" {
				require.EqualError(t, err, c.problem)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, strings.TrimSuffix(server, "/")+c.want, got)
		}
	}
}

// TestURLAsUpstream compares the URLs with those that client-go's requests go to.
func TestURLAsUpstream(t *testing.T) {
	word := rapid.StringMatching(`[a-z][a-z0-9:%? .-]{0,9}`)
	optional := rapid.OneOf(rapid.Just(""), word)
	rapid.Check(t, func(t *rapid.T) {
		group := rapid.SampledFrom([]string{"", "a.example.com"}).Draw(t, "group")
		gv := schema.GroupVersion{Group: group, Version: "v1"}
		scope := rapid.SampledFrom([]meta.RESTScope{meta.RESTScopeNamespace, meta.RESTScopeRoot}).Draw(t, "scope")
		namespace, name, sub := optional.Draw(t, "namespace"), optional.Draw(t, "name"), optional.Draw(t, "sub")
		var subs []string
		if sub != "" {
			subs = []string{sub}
		}
		got, err := restmapper.URL("https://x", mapping(gv, "Thing", "things", scope), namespace, name, subs...)

		config := &rest.Config{Host: "https://x", APIPath: "/apis", ContentConfig: rest.ContentConfig{GroupVersion: &gv,
			NegotiatedSerializer: scheme.Codecs.WithoutConversion()}}
		if gv.Group == "" {
			config.APIPath = "/api"
		}
		client, clientErr := rest.RESTClientFor(config)
		require.NoError(t, clientErr)
		request := client.Get().NamespaceIfScoped(namespace, scope == meta.RESTScopeNamespace).Resource("things")
		if name != "" {
			request = request.Name(name)
		}
		if sub != "" {
			request = request.SubResource(sub)
		}
		switch {
		case request.Error() != nil || name == "" && sub != "":
			require.Error(t, err, "%v", request.Error())
		case err != nil:
			require.ErrorContains(t, err, "is in a namespace", "which client-go says when the request is sent")
		default:
			require.Equal(t, request.URL().String(), got)
		}
	})
}
