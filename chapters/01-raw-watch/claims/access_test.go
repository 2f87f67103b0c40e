package claims

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/transport"
)

// A client learns the server's address from two variables that a Pod has, or from a kubeconfig. A program that runs
// outside of a cluster, or in a Pod without them, has neither.
func TestAClientThatFindsNoServer(t *testing.T) {
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	_, err := rest.InClusterConfig()
	require.EqualError(t, err, "unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and "+
		"KUBERNETES_SERVICE_PORT must be defined")
	_, err = clientcmd.BuildConfigFromFlags("", "")
	require.EqualError(t, err, "invalid configuration: no configuration has been provided, try setting "+
		"KUBERNETES_MASTER environment variable")
	_, err = clientcmd.BuildConfigFromFlags("", filepath.Join(t.TempDir(), "config"))
	require.ErrorContains(t, err, "no such file or directory")
}

// A kubeconfig names clusters, users and contexts. A context that is asked for has to be there, and so have the files.
// A context whose user is not there is one of nobody, and no error before the API server refuses its requests.
func TestAKubeconfigThatNamesWhatIsNotThere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config")
	load := func(context, text string) error {
		require.NoError(t, os.WriteFile(file, []byte("apiVersion: v1\nkind: Config\n"+text), 0o600))
		config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
			&clientcmd.ClientConfigLoadingRules{ExplicitPath: file},
			&clientcmd.ConfigOverrides{CurrentContext: context}).ClientConfig()
		if err == nil {
			require.Equal(t, &rest.Config{Host: "https://127.0.0.1:6443"}, config, "without a credential")
		}
		return err
	}
	cluster := "clusters: [{name: c, cluster: {server: https://127.0.0.1:6443}}]\n"
	require.EqualError(t, load("mine", cluster), `context "mine" does not exist`)
	mine := cluster + "contexts: [{name: mine, context: {cluster: c, user: me}}]\n"
	require.NoError(t, load("mine", mine))
	require.EqualError(t, load("mine", mine+"users: [{name: me, user: {client-certificate: /nowhere/me.crt}}]\n"),
		"invalid configuration: [client-key-data or client-key must be specified for me to use the clientCert "+
			"authentication method., unable to read client-cert /nowhere/me.crt for me due to open /nowhere/me.crt: "+
			"no such file or directory]")
	require.ErrorContains(t, load("mine", "clusters: {c: {}}\n"), `error loading config file "`+file+`"`)
}

// A certificate or a token that can't be read is found when the client is made, or at its first request.
func TestCredentialsThatCantBeRead(t *testing.T) {
	config := &rest.Config{Host: "https://127.0.0.1:6443", TLSClientConfig: rest.TLSClientConfig{CAData: []byte("ca")}}
	_, err := rest.TransportFor(config)
	require.EqualError(t, err, "unable to load root certificates: unable to parse bytes as PEM block")
	text := fmt.Sprintf("-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n",
		base64.StdEncoding.EncodeToString([]byte("no certificate")))
	config.CAData = []byte(text)
	_, err = rest.TransportFor(config)
	require.ErrorContains(t, err, "unable to load root certificates: failed to parse certificate: ")

	file := filepath.Join(t.TempDir(), "token")
	_, err = transport.NewCachedFileTokenSource(file).Token()
	require.ErrorContains(t, err, `failed to read token file "`+file+`": `)
	require.NoError(t, os.WriteFile(file, []byte("\n"), 0o600))
	_, err = transport.NewCachedFileTokenSource(file).Token()
	require.EqualError(t, err, `read empty token from file "`+file+`"`)
}

// A client that is told not to verify the server, and beside it whom to trust, was told two things.
func TestAKubeconfigThatTrustsTwice(t *testing.T) {
	config := &rest.Config{Host: "https://127.0.0.1:6443", TLSClientConfig: rest.TLSClientConfig{Insecure: true}}
	_, err := rest.TransportFor(config)
	require.NoError(t, err)
	config.CAData = []byte("any")
	_, err = rest.TransportFor(config)
	require.EqualError(t, err, "specifying a root certificates file with the insecure flag is not allowed")
}

// A kubeconfig of a cloud names who gets its token: a provider, which the program has to import, or another program,
// which has to be on the PATH where the first one runs. Which protocol they speak is an apiVersion.
func TestAKubeconfigThatNeedsAProgram(t *testing.T) {
	load := func(user string) *rest.Config {
		config, err := clientcmd.RESTConfigFromKubeConfig([]byte("apiVersion: v1\nkind: Config\ncurrent-context: mine\n" +
			"clusters: [{name: c, cluster: {server: https://127.0.0.1:6443}}]\n" +
			"contexts: [{name: mine, context: {cluster: c, user: me}}]\n" +
			"users: [{name: me, user: {" + user + "}}]\n"))
		require.NoError(t, err)
		return config
	}
	_, err := rest.TransportFor(load("auth-provider: {name: gcp}"))
	require.EqualError(t, err, `no Auth Provider found for name "gcp"`)

	const program = "exec: {command: no-such-plugin, interactiveMode: Never, apiVersion: client.authentication.k8s.io/"
	_, err = rest.TransportFor(load(program + "v1alpha1}"))
	require.EqualError(t, err, `exec plugin: invalid apiVersion "client.authentication.k8s.io/v1alpha1"`)
	over, err := rest.TransportFor(load(program + "v1}"))
	require.NoError(t, err, "nobody looks before the first request")
	_, err = (&http.Client{Transport: over}).Get("https://127.0.0.1:6443/version")
	require.ErrorContains(t, err, "getting credentials: exec: executable no-such-plugin not found")
}
