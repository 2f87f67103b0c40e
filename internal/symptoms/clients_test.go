package symptoms_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// clients are lines as clients in other languages write them, each with the place of its words: a repository and a
// file. leads is the beginning of the message that is found first; says, where another comes first, is the one from
// that file.
var clients = []struct{ from, line, leads, says string }{
	// Python.
	{
		"urllib3/urllib3 src/urllib3/response.py, from 2.2.1 on",
		"urllib3.exceptions.ProtocolError: Response ended prematurely",
		"`Response ended prematurely`", "",
	},
	{
		"urllib3/urllib3 src/urllib3/response.py and exceptions.py, in place of that before 2.2.1",
		`urllib3.exceptions.ProtocolError: ("Connection broken: InvalidChunkLength(got length b'', 0 bytes read)", ` +
			"InvalidChunkLength(got length b'', 0 bytes read))",
		"`Connection broken: InvalidChunkLength", "",
	},
	{
		"python/cpython Lib/http/client.py, with urllib3/urllib3 src/urllib3/response.py",
		"urllib3.exceptions.ProtocolError: ('Connection broken: IncompleteRead(187 bytes read, 214 more expected)', " +
			"IncompleteRead(187 bytes read, 214 more expected))",
		"`Connection broken: IncompleteRead", "",
	},
	{
		"aio-libs/aiohttp aiohttp/client_proto.py",
		"aiohttp.client_exceptions.ClientPayloadError: Response payload is not completed: <TransferEncodingError: " +
			"400, message='Not enough data to satisfy transfer length header.'>. ConnectionResetError(104, " +
			"'Connection reset by peer')",
		"`Response payload is not completed`", "",
	},
	{
		"aio-libs/aiohttp aiohttp/client_proto.py",
		"aiohttp.client_exceptions.SocketTimeoutError: Timeout on reading data from socket",
		"`Timeout on reading data from socket`", "",
	},
	{
		"urllib3/urllib3 src/urllib3/response.py, of a body",
		"urllib3.exceptions.ReadTimeoutError: HTTPSConnectionPool(host='10.0.0.1', port=443): Read timed out.",
		"`Read timed out`", "",
	},
	{
		"urllib3/urllib3 src/urllib3/connectionpool.py, of an answer that does not begin",
		"urllib3.exceptions.ReadTimeoutError: HTTPSConnectionPool(host='10.0.0.1', port=443): Read timed out. (read " +
			"timeout=5)",
		"`Read timed out`", "",
	},
	{
		"urllib3/urllib3 src/urllib3/connection.py and exceptions.py",
		"urllib3.exceptions.NewConnectionError: HTTPSConnection(host='10.0.0.1', port=443): Failed to establish a " +
			"new connection: [Errno 111] Connection refused",
		"`connection refused`", "",
	},
	{
		"python/cpython Modules/_ssl.c, with openssl/openssl ssl/ssl_err.c",
		"ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed " +
			"certificate in certificate chain (_ssl.c:1006)",
		"`certificate verify failed`", "",
	},
	{
		"kubernetes-client/python kubernetes/client/exceptions.py, kubernetes/base/watch/watch.py",
		"kubernetes.client.exceptions.ApiException: (410)\nReason: Expired: too old resource version: 17 (18)\n",
		"`too old resource version: <number>", "",
	},
	{
		"kubernetes-client/python kubernetes/client/exceptions.py",
		"(409)\nReason: Conflict\nHTTP response body: {\"kind\":\"Status\",\"message\":\"Operation cannot be " +
			`fulfilled on pods \"web\": the object has been modified; please apply your changes to the latest ` +
			"version and try again\"}",
		"`Operation cannot be", "",
	},
	{
		"kubernetes-client/python kubernetes/client/exceptions.py, of a body that was not decoded",
		`HTTP response body: b'{"kind":"Status","message":"pods \\"web\\" already exists"}'`,
		"`<resource> \"<name>\" already", "",
	},

	// Java.
	{
		"square/okhttp okhttp/src/commonJvmAndroid/kotlin/okhttp3/internal/http1/Http1ExchangeCodec.kt, read",
		"Caused by: java.net.ProtocolException: unexpected end of stream",
		"`unexpected end of stream`", "",
	},
	{
		"square/okhttp okhttp/src/commonJvmAndroid/kotlin/okhttp3/internal/http1/Http1ExchangeCodec.kt, " +
			"readResponseHeaders",
		"Caused by: java.io.IOException: unexpected end of stream on https://10.0.0.1/...",
		"`unexpected end of stream on <address>`", "",
	},
	{
		"square/okhttp okhttp/src/commonJvmAndroid/kotlin/okhttp3/internal/http2/StreamResetException.kt",
		"Caused by: okhttp3.internal.http2.StreamResetException: stream was reset: INTERNAL_ERROR",
		"`stream was reset: INTERNAL_ERROR`", "",
	},
	{
		"openjdk/jdk src/java.base/share/classes/sun/nio/ch/NioSocketImpl.java",
		"java.net.SocketException: Connection reset",
		"`SocketException: Connection reset`", "",
	},
	{
		"openjdk/jdk src/java.base/share/classes/sun/nio/ch/NioSocketImpl.java",
		"java.net.SocketTimeoutException: Read timed out",
		"`Read timed out`", "",
	},
	{
		"square/okio okio/src/jvmMain/kotlin/okio/internal/-JavaIo.kt",
		"Caused by: java.net.SocketTimeoutException: timeout",
		"`SocketTimeoutException: timeout`", "",
	},
	{
		"openjdk/jdk src/java.base/share/classes/sun/security/validator/PKIXValidator.java",
		"Caused by: sun.security.validator.ValidatorException: PKIX path building failed: " +
			"sun.security.provider.certpath.SunCertPathBuilderException: unable to find valid certification path to " +
			"requested target",
		"`PKIX", "",
	},
	{
		"kubernetes-client/java kubernetes/src/main/java/io/kubernetes/client/openapi/ApiException.java",
		"io.kubernetes.client.openapi.ApiException: Message: \nHTTP response code: 429\nHTTP response body: x\nHTTP " +
			"response headers: {}",
		"`429`", "",
	},
	{
		"kubernetes-client/java util/src/main/java/io/kubernetes/client/informer/cache/ReflectorRunnable.java",
		"class io.kubernetes.client.openapi.models.V1Pod#Reflector loop failed " +
			"unexpectedly\njava.lang.RuntimeException: got ERROR event and its status: class V1Status {\n    code: " +
			"500\n    message: x\n}",
		"`Reflector loop failed unexpectedly`", "",
	},
	{
		"fabric8io/kubernetes-client " +
			"kubernetes-client/src/main/java/io/fabric8/kubernetes/client/informers/impl/cache/Reflector.java and " +
			"dsl/internal/OperationSupport.java",
		"listSyncAndWatch failed for v1/namespaces/a/pods, will " +
			"stop\nio.fabric8.kubernetes.client.KubernetesClientException: Failure executing: GET at: " +
			`https://10.0.0.1/api. Message: pods is forbidden: User "a:b" cannot list resource "pods" in API group ` +
			`"" in the namespace "a". Received status: Status(apiVersion=v1, code=403).`,
		"`is forbidden: User \"<user>\" cannot … resource", "`listSyncAndWatch failed for`",
	},
	{
		"fabric8io/kubernetes-client " +
			"kubernetes-client/src/main/java/io/fabric8/kubernetes/client/dsl/internal/OperationSupport.java",
		"io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: PUT at: https://10.0.0.1/api. " +
			`Message: Operation cannot be fulfilled on pods "web": the object has been modified; please apply your ` +
			"changes to the latest version and try again. Received status: Status(apiVersion=v1, code=409).",
		"`Operation cannot be", "",
	},

	// Rust.
	{
		"kube-rs/kube kube-runtime/src/watcher.rs and kube-client/src/error.rs, hyperium/hyper src/error.rs, from " +
			"1.0 on",
		"watch stream failed: Error reading events stream: ServiceError: error reading a body from connection",
		"`error reading a body from connection`", "`watch stream failed:`",
	},
	{
		"kube-rs/kube kube-client/src/client/mod.rs, with hyperium/hyper src/proto/h1/decode.rs before 1.0",
		"WARN kube_client::client: eof in poll: error reading a body from connection: unexpected EOF during chunk " +
			"size line",
		"`unexpected EOF during chunk size line`", "",
	},
	{
		"kube-rs/kube kube-runtime/src/watcher.rs",
		"failed to perform initial object list: ServiceError: client error (Connect): tcp connect error: Connection " +
			"refused (os error 111)",
		"`connection refused`", "`failed to perform initial object list:`",
	},
	{
		"kube-rs/kube kube-runtime/src/watcher.rs, as Debug writes it",
		"ERROR watcher: InitialListFailed(Api(Status { status: Some(Failure), message: \"pods is forbidden: User " +
			`\"system:serviceaccount:a:b\" cannot list resource \"pods\" in API group \"\" at the cluster scope", ` +
			"code: 403 }))",
		"`is forbidden: User \"<user>\" cannot … resource", "",
	},
	{
		"rustls/rustls rustls/src/error/mod.rs",
		"ServiceError: client error (Connect): invalid peer certificate: UnknownIssuer",
		"`invalid peer certificate", "",
	},

	// Ruby. kubeclient watches with http.rb: before its version 5 an EOF inside an answer is an error of its parser's,
	// and from then on the end of the answer. OpenSSL 3 has an error of its own for a connection that ends without a
	// goodbye.
	{
		"httprb/http lib/http/connection.rb, before 5.0",
		"HTTP::ConnectionError: error reading from socket: Could not parse data",
		"`error reading from socket`", "",
	},
	{
		"httprb/http lib/http/connection.rb",
		"HTTP::ConnectionError: error reading from socket: Connection reset by peer",
		"`error reading from socket`", "",
	},
	{
		"ruby/openssl ext/openssl/ossl_ssl.c, with openssl/openssl ssl/ssl_err.c",
		"OpenSSL::SSL::SSLError: SSL_read: unexpected eof while reading",
		"`SSL_read: unexpected eof", "",
	},
	{
		"ruby/net-protocol lib/net/protocol.rb",
		"/usr/lib/ruby/net/protocol.rb:237:in `rbuf_fill': end of file reached (EOFError)",
		"`end of file reached`", "",
	},
	{
		"ManageIQ/kubeclient lib/kubeclient/http_error.rb",
		"Kubeclient::HttpError: HTTP status code 410, too old resource version: 9912345 (9912399)",
		"`too old resource version: <number>", "",
	},
	{
		"ruby/net-http lib/net/http.rb",
		"Errno::ECONNREFUSED: Failed to open TCP connection to 10.0.0.1:443 (Connection refused - connect(2) for " +
			"10.0.0.1:443)",
		"`connection refused`", "",
	},
}

// TestClientsInOtherLanguages: what they write leads to a row, and each phrase that the page has of them is in the
// table with its place.
func TestClientsInOtherLanguages(t *testing.T) {
	rows := page(t)
	var proven []string
	for _, c := range clients {
		found := search(t, rows, c.line)
		require.NotEmpty(t, found, c.line)
		first := bare(found[0].Messages[0].Text)
		if !strings.HasPrefix(first, c.leads) {
			t.Errorf("%s leads to %s, and not to %s", c.line, first, c.leads)
		}
		for _, f := range found {
			for _, m := range f.Messages {
				if text := bare(m.Text); text == first || c.says != "" && strings.HasPrefix(text, c.says) {
					proven = append(proven, text)
				}
			}
		}
	}
	phrases := 0
	for _, row := range rows {
		for part := range strings.SplitSeq(row.Symptom, " · ") {
			if !language.MatchString(part) {
				continue
			}
			for _, quoted := range quotation.FindAllString(part, -1) {
				phrases++
				require.Contains(t, proven, quoted, "line %d: nothing says where it was found", row.Line)
			}
		}
	}
	require.Greater(t, phrases, 20)
}

var (
	language  = regexp.MustCompile(`^(?:Python|Java|Rust|Ruby)\b[^` + "`" + `]*: `)
	quotation = regexp.MustCompile("`[^`]+`")
)

// bare is a message without the language before it.
func bare(text string) string { return text[strings.Index(text, "`"):] }
