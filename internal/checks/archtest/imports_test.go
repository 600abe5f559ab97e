package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/tidemark/tidemark"

// rule says what a package may import beside the standard library.
type rule struct {
	allow []string
	why   string
	// pure packages import no part of the standard library that does I/O,
	// reads a clock or rolls dice.
	pure bool
}

// rules is the import table. A package without a rule fails the test: a new
// package has to find its place first.
var rules = map[string]rule{
	"":                               {why: "the root package is documentation"},
	"api/v1alpha1":                   {allow: []string{"k8s.io/apimachinery"}, why: "API types must be cheap to import"},
	"fault":                          {pure: true, why: "everyone reports faults"},
	"scale":                          {pure: true, why: "the vocabulary must not depend on anything that speaks it"},
	"internal/shortfall":             {pure: true, allow: []string{"scale"}, why: "one judge of what is in force, for everyone who says it"},
	"engine":                         {pure: true, allow: append([]string{"scale"}, stages...), why: "a decision must be replayable"},
	"engine/elastic":                 {pure: true, allow: []string{"scale"}, why: "stages do not know each other"},
	"engine/horizontal":              {pure: true, allow: []string{"scale"}, why: "stages do not know each other"},
	"engine/interval":                {pure: true, allow: []string{"scale"}, why: "stages do not know each other"},
	"engine/learn":                   {pure: true, allow: []string{"scale"}, why: "stages do not know each other"},
	"engine/limit":                   {pure: true, allow: []string{"scale"}, why: "stages do not know each other"},
	"engine/schedule":                {pure: true, allow: []string{"scale"}, why: "stages do not know each other"},
	"engine/boost":                   {pure: true, allow: []string{"scale"}, why: "stages do not know each other"},
	"engine/capacity":                {pure: true, allow: []string{"scale"}, why: "stages do not know each other"},
	"engine/rightsize":               {pure: true, allow: []string{"scale"}, why: "stages do not know each other"},
	"policy":                         {allow: append([]string{"api/v1alpha1", "engine", "fault", "scale", "github.com/google/cel-go", "github.com/robfig/cron/v3", "k8s.io/apimachinery"}, stages...), why: "the only place where API types become engine types"},
	"explain":                        {pure: true, allow: []string{"scale"}, why: "words are made from steps and nothing else"},
	"internal/learner":               {pure: true, allow: []string{"api/v1alpha1", "engine", "internal/history", "policy", "scale"}, why: "the live loop and a replay learn the same way"},
	"internal/learner/week":          {pure: true, allow: []string{"api/v1alpha1", "internal/history", "policy"}, why: "what was learned, as a week"},
	"internal/replay/sim":            {pure: true, allow: []string{"internal/apply/plan", "engine", "engine/boost", "engine/horizontal", "fault", "internal/seeded", "scale", "internal/replay/trace", "internal/replay/wait"}, why: "virtual time only: the engine as it is, on pods that are not"},
	"internal/replay/wait":           {pure: true, allow: []string{"scale"}, why: "closed forms, exact on every machine"},
	"internal/replay/rivals":         {pure: true, allow: []string{"internal/replay/sim", "scale"}, why: "others decide about the same plant, without our engine's rules"},
	"internal/record":                {allow: []string{"api/v1alpha1", "engine", "engine/horizontal", "engine/limit", "explain", "fault", "internal/strict", "policy", "scale"}, why: "the wire form of a decision"},
	"scaletest":                      {allow: []string{"api/v1alpha1", "internal/apply/plan", "engine", "engine/horizontal", "explain", "fault", "internal/strict", "policy", "scale", "internal/replay/sim", "spec"}, why: "scripts run the engine and nothing else"},
	"internal/strict":                {allow: []string{"fault", "scale", "go.yaml.in/yaml/v3", "k8s.io/apimachinery"}, why: "reads documents, knows no document"},
	"internal/checks/archtest":       {why: "tests only"},
	"internal/checks/doctest":        {why: "tests only"},
	"internal/checks/chromium":       {why: "tests only: a browser"},
	"internal/checks/flood":          {why: "tests only: what a server takes while hostile bodies come in"},
	"internal/checks/wrongclock":     {why: "tests only: clocks that were set"},
	"internal/checks/draw":           {allow: []string{"pgregory.net/rapid"}, why: "tests only: what they try is the same each time"},
	"internal/convert":               {pure: true, allow: []string{"api/v1alpha1", "fault", "internal/strict", "policy", "k8s.io/api", "k8s.io/apimachinery"}, why: "an object of another autoscaler in, one of ours out"},
	"manifest":                       {pure: true, allow: []string{"api/v1alpha1", "fault", "policy", "scale", "k8s.io/api", "k8s.io/apimachinery", "sigs.k8s.io/yaml"}, why: "builds objects, has no client"},
	"internal/replay":                {allow: []string{"api/v1alpha1", "internal/apply/plan", "engine", "engine/elastic", "engine/horizontal", "engine/learn", "engine/limit", "explain", "fault", "internal/course", "internal/history", "internal/selftune", "internal/replay/progress", "internal/learner", "policy", "internal/record", "scale", "internal/replay/rivals", "internal/replay/sim", "internal/replay/trace"}, why: "replays policies over recordings, knows no command line"},
	"internal/replay/plot":           {why: "draws numbers, knows no meaning"},
	"internal/history":               {pure: true, allow: []string{"scale", "k8s.io/autoscaler"}, why: "weeks of the past are a value too; the histograms are the VPA's own"},
	"internal/course":                {pure: true, allow: []string{"scale"}, why: "the course of a demand is a value too"},
	"internal/selftune":              {pure: true, allow: []string{"engine", "internal/course", "internal/learner", "scale"}, why: "chooses by what a replay found, and replays nothing"},
	"internal/targetref":             {allow: []string{"api/v1alpha1", "k8s.io/api", "sigs.k8s.io/controller-runtime"}, why: "who looks, acts or admits names a target alike"},
	"internal/permit":                {allow: []string{"api/v1alpha1", "internal/apply/podsize", "internal/targetref", "scale", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/autoscaler", "k8s.io/utils", "sigs.k8s.io/controller-runtime"}, why: "one judge of who may act, for everyone who does"},
	"internal/apply":                 {allow: []string{"scale", "internal/targetref", "k8s.io/apimachinery"}, why: "the port: how a decision leaves pure code"},
	"internal/apply/dryrun":          {allow: []string{"internal/apply", "scale", "internal/targetref"}, why: "changes nothing"},
	"internal/apply/hpa":             {pure: true, allow: []string{"internal/apply", "scale", "k8s.io/api", "k8s.io/apimachinery"}, why: "an HPA in, an HPA out"},
	"internal/fair":                  {allow: []string{"k8s.io/client-go", "sigs.k8s.io/controller-runtime"}, why: "shares work out, knows no work"},
	"internal/observe":               {allow: []string{"api/v1alpha1", "engine", "internal/observe/snapshot", "scale", "k8s.io/apimachinery"}, why: "the port: how the cluster enters pure code"},
	"internal/observe/quantity":      {allow: []string{"scale", "k8s.io/api", "k8s.io/apimachinery"}, why: "quantities become integers at the edge"},
	"internal/observe/podview":       {allow: []string{"api/v1alpha1", "engine/boost", "scale", "internal/observe/quantity", "k8s.io/api", "k8s.io/component-helpers"}, why: "pure: whoever has pods sees them alike"},
	"internal/observe/snapshot":      {allow: []string{"internal/fair", "k8s.io/utils"}, why: "shares answers, knows no question"},
	"internal/observe/target":        {allow: []string{"api/v1alpha1", "internal/apply", "internal/apply/plan", "scale", "internal/observe/podview", "internal/observe/snapshot", "internal/targetref", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go", "sigs.k8s.io/controller-runtime"}, why: "reads the workload from the cache"},
	"internal/observe/pods":          {allow: []string{"api/v1alpha1", "scale", "internal/observe/target", "internal/targetref", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go", "sigs.k8s.io/controller-runtime"}, why: "finds pods by their owners"},
	"internal/observe/metricsapi":    {allow: []string{"scale", "internal/observe/quantity", "internal/observe/snapshot", "k8s.io/apimachinery", "k8s.io/client-go", "k8s.io/metrics"}, why: "the metrics APIs of Kubernetes"},
	"internal/observe/kubelet":       {allow: []string{"scale", "internal/observe/metricsapi", "internal/observe/snapshot", "github.com/go-logr/logr", "github.com/prometheus/client_model", "github.com/prometheus/common", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go", "k8s.io/utils", "sigs.k8s.io/controller-runtime"}, why: "kubelets, asked directly"},
	"internal/observe/allowance":     {allow: []string{"scale", "internal/apply/podsize", "internal/observe/podview", "internal/observe/quantity", "k8s.io/api", "k8s.io/component-helpers", "sigs.k8s.io/controller-runtime"}, why: "what a namespace allows"},
	"internal/observe/nodes":         {allow: []string{"scale", "internal/observe/metricsapi", "internal/observe/quantity", "internal/observe/snapshot", "github.com/go-logr/logr", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/component-helpers", "sigs.k8s.io/controller-runtime"}, why: "what nodes have, and use"},
	"internal/observe/prometheus":    {allow: []string{"api/v1alpha1", "internal/learner", "scale", "internal/replay/trace", "internal/observe/snapshot", "github.com/prometheus/client_golang", "github.com/prometheus/prometheus"}, why: "the one way to ask a Prometheus server"},
	"internal/observe/vpa":           {allow: []string{"api/v1alpha1", "scale", "internal/observe/quantity", "k8s.io/apimachinery", "k8s.io/autoscaler", "k8s.io/utils", "sigs.k8s.io/controller-runtime"}, why: "recommendations of VPA objects"},
	"internal/observe/recommender":   {allow: []string{"scale", "internal/egress", "internal/observe/snapshot"}, why: "recommendations over HTTP"},
	"internal/observe/scaler":        {allow: []string{"api/v1alpha1", "internal/egress", "internal/observe/scaler/protocol", "internal/observe/snapshot", "scale", "google.golang.org/grpc", "google.golang.org/protobuf"}, why: "external scalers, in KEDA's protocol"},
	"internal/observe/live":          {allow: []string{"api/v1alpha1", "internal/apply/hpa", "engine/horizontal", "internal/history", "internal/learner", "scale", "internal/observe", "internal/observe/allowance", "internal/observe/kubelet", "internal/observe/metricsapi", "internal/observe/nodes", "internal/observe/quantity", "internal/observe/pods", "internal/observe/podview", "internal/observe/prometheus", "internal/observe/recommender", "internal/observe/scaler", "internal/observe/snapshot", "internal/observe/target", "internal/observe/vpa", "internal/targetref", "github.com/go-logr/logr", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go", "k8s.io/utils", "sigs.k8s.io/controller-runtime"}, why: "puts the places to look together"},
	"internal/observe/observetest":   {allow: []string{"internal/observe", "internal/observe/snapshot", "scale", "github.com/google/go-cmp"}, why: "the contract of the port, as tests"},
	"internal/apply/podsize":         {pure: true, allow: []string{"api/v1alpha1", "internal/apply", "internal/observe/quantity", "policy", "scale", "k8s.io/api", "k8s.io/apimachinery"}, why: "what a pod's containers become, for resizes and new pods alike"},
	"internal/apply/applytest":       {allow: []string{"internal/apply", "scale", "internal/targetref", "github.com/google/go-cmp"}, why: "the contract of the port, as tests"},
	"internal/apply/scalesub":        {allow: []string{"internal/apply", "scale", "internal/targetref", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go"}, why: "the scale subresource, of any kind"},
	"internal/apply/hpatuner":        {allow: []string{"internal/apply", "internal/apply/hpa", "scale", "internal/targetref", "k8s.io/api", "k8s.io/apimachinery", "sigs.k8s.io/controller-runtime"}, why: "keeps an HPA as apply/hpa wants it"},
	"internal/apply/plan":            {pure: true, allow: []string{"scale"}, why: "live and replay plan a round of resizes by the same function"},
	"internal/apply/resize":          {allow: []string{"api/v1alpha1", "internal/apply", "internal/apply/plan", "internal/apply/podsize", "internal/observe/podview", "scale", "internal/targetref", "golang.org/x/sync", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/utils", "sigs.k8s.io/controller-runtime"}, why: "brings running pods to their size"},
	"internal/apply/deletioncost":    {allow: []string{"api/v1alpha1", "internal/apply", "internal/targetref", "scale", "k8s.io/api", "k8s.io/apimachinery", "sigs.k8s.io/controller-runtime"}, why: "says which pods go first"},
	"internal/apply/published":       {allow: []string{"api/v1alpha1", "internal/apply", "internal/apply/podsize", "internal/targetref", "scale", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/autoscaler", "k8s.io/utils", "sigs.k8s.io/controller-runtime"}, why: "shows the decided size to others"},
	"internal/apply/route":           {allow: []string{"api/v1alpha1", "internal/apply", "internal/apply/dryrun", "internal/apply/deletioncost", "internal/apply/podsize", "internal/apply/published", "internal/apply/resize", "internal/apply/scalesub", "internal/apply/hpatuner", "policy", "scale", "internal/targetref", "internal/permit", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go", "k8s.io/utils", "sigs.k8s.io/controller-runtime"}, why: "chooses the way to act"},
	"internal/controller/webhook":    {allow: anything, why: "the edge where new pods come in"},
	"internal/controller/rbac":       {why: "markers only: the one source of the controller's rights"},
	"internal/controller":            {allow: []string{"api/v1alpha1", "internal/apply", "internal/apply/podsize", "engine", "engine/elastic", "engine/learn", "engine/limit", "explain", "internal/course", "internal/fair", "internal/history", "internal/controller/metrics", "internal/observe/snapshot", "internal/seeded", "internal/selftune", "internal/shard", "internal/learner", "internal/observe", "policy", "internal/podsum", "internal/record", "scale", "internal/shortfall", "internal/targetref", "internal/permit", "golang.org/x/sync", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go", "k8s.io/utils", "sigs.k8s.io/controller-runtime"}, why: "the loop knows ports, not the ways to look or act"},
	"internal/controller/metrics":    {allow: []string{"explain", "internal/podsum", "internal/shard", "scale", "internal/shortfall", "github.com/prometheus/client_golang", "github.com/prometheus/common/expfmt"}, why: "one list of series"},
	"internal/egress":                {allow: []string{"k8s.io/apimachinery/pkg/util/validation"}, why: "which addresses may be called"},
	"internal/controller/config":     {allow: []string{"api/v1alpha1", "fault", "internal/egress", "internal/shard", "internal/strict", "policy", "github.com/go-logr/logr", "k8s.io/apimachinery"}, why: "the configuration file, read strictly"},
	"internal/controller/lead":       {allow: []string{"k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go", "k8s.io/utils", "sigs.k8s.io/controller-runtime"}, why: "one controller writes at a time"},
	"internal/controller/decisions":  {allow: []string{"api/v1alpha1", "internal/record"}, why: "keeps decisions, makes none"},
	"internal/controller/operator":   {allow: anything, why: "wiring"},
	"internal/lint":                  {pure: true, allow: []string{"api/v1alpha1", "fault", "internal/strict", "policy", "scale", "github.com/prometheus/prometheus", "go.yaml.in/yaml/v3", "k8s.io/api", "k8s.io/apimachinery"}, why: "manifests in, findings out; no files, no client"},
	"internal/lint/render":           {allow: []string{"helm.sh/helm/v4", "sigs.k8s.io/kustomize/api", "sigs.k8s.io/kustomize/kyaml", "sigs.k8s.io/yaml"}, why: "charts and kustomizations in, manifests out; no network, no cluster"},
	"internal/convert/proof":         {pure: true, allow: []string{"api/v1alpha1", "internal/convert", "engine", "engine/horizontal", "engine/limit", "fault", "internal/strict", "policy", "scale", "k8s.io/api", "k8s.io/apimachinery"}, why: "decides on both sides, changes neither"},
	"internal/convert/several":       {pure: true, allow: []string{"api/v1alpha1", "internal/convert", "internal/convert/manifests"}, why: "autoscalers that belong together"},
	"internal/convert/whole":         {pure: true, why: "manifests with every field"},
	"internal/convert/manifests":     {pure: true, allow: []string{"internal/convert", "fault", "internal/strict", "go.yaml.in/yaml/v3"}, why: "inputs as people have them"},
	"internal/jsonapi":               {allow: []string{"api/v1alpha1", "internal/convert", "fault", "internal/strict", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go"}, why: "the JSON resource: HTTP in, the caller's Kubernetes API out"},
	"spec":                           {why: "embeds the scripts"},
	"docs/schema":                    {why: "embeds what is published"},
	"test/e2e":                       {allow: anything, why: "tests only"},
	"test/chaos":                     {allow: anything, why: "tests only"},
	"test/chaos/trail":               {why: "what is noted is judged by others"},
	"test/chaos/checker":             {allow: []string{"api/v1alpha1", "engine", "engine/limit", "explain", "internal/history", "internal/record", "scale", "test/chaos/trail"}, why: "whoever judges the controller must not share its code"},
	"test/live":                      {allow: anything, why: "tests only"},
	"test/twin":                      {allow: anything, why: "tests only"},
	"internal/shard":                 {why: "i of n, whatever is counted"},
	"internal/seeded":                {pure: true, why: "chance that can be had again"},
	"internal/replay/progress":       {why: "tells how far work is, knows no work"},
	"internal/replay/report":         {allow: []string{"internal/replay"}, why: "shows what a replay found"},
	"internal/replay/linted":         {allow: []string{"api/v1alpha1", "internal/lint", "internal/replay/sim", "scale", "sigs.k8s.io/yaml"}, why: "asks lint about a spec beside the pods of a plant"},
	"internal/replay/search":         {allow: []string{"api/v1alpha1", "internal/replay", "policy", "k8s.io/apimachinery"}, why: "changes numbers of a spec and replays it"},
	"internal/replay/fleet":          {allow: []string{"internal/replay/progress", "internal/replay", "internal/shard"}, why: "many replays"},
	"internal/replay/trace/generate": {pure: true, allow: []string{"internal/seeded", "scale", "internal/replay/trace"}, why: "the same on every machine"},
	"internal/advise":                {allow: []string{"api/v1alpha1", "internal/convert", "internal/replay", "internal/replay/sim", "internal/replay/trace", "scale", "k8s.io/apimachinery", "sigs.k8s.io/yaml"}, why: "judges what others have found; asks nobody, writes no file"},
	"internal/advise/inventory":      {allow: []string{"internal/advise", "internal/lint", "internal/observe/prometheus", "internal/replay/sim", "internal/replay/trace", "scale", "k8s.io/api", "k8s.io/apimachinery"}, why: "finds workloads and their past"},
	"internal/podsum":                {pure: true, allow: []string{"scale"}, why: "one sum of pods, for everyone who shows it"},
	"internal/onlook":                {allow: []string{"api/v1alpha1", "engine", "internal/controller", "internal/history", "internal/learner", "internal/observe", "internal/observe/allowance", "internal/observe/live", "internal/observe/pods", "internal/record", "policy", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go", "k8s.io/utils", "sigs.k8s.io/controller-runtime"}, why: "looks as the controller does, for everyone else"},
	"internal/ui":                    {why: "a map of the pages"},
	"internal/ui/feed":               {allow: []string{"explain", "scale"}, why: "one form of what pages show, whatever it comes from"},
	"internal/ui/probe":              {pure: true, allow: []string{"engine", "engine/horizontal", "explain", "internal/record", "scale"}, why: "asks the engine, and knows no rule"},
	"internal/ui/script":             {allow: []string{"api/v1alpha1", "engine", "engine/horizontal", "explain", "internal/record", "scale", "scaletest", "sigs.k8s.io/yaml"}, why: "a decision as a script, which is run to see that it is true"},
	"internal/ui/decided":            {allow: []string{"api/v1alpha1", "engine", "explain", "internal/record", "internal/ui/feed", "internal/ui/probe", "internal/ui/script", "scale"}, why: "all that a page says of one decision"},
	"internal/ui/replayed":           {allow: []string{"explain", "internal/replay", "internal/replay/sim", "internal/ui/decided", "internal/ui/feed", "internal/ui/learned", "internal/ui/migrate", "internal/ui/whatif"}, why: "a replay as a feed, without a cluster"},
	"internal/ui/learned":            {allow: []string{"api/v1alpha1", "explain", "internal/history", "internal/learner", "internal/learner/week", "internal/replay", "internal/replay/sim", "internal/ui/feed", "policy", "scale"}, why: "what a policy learned, and whether it came true"},
	"internal/ui/live":               {allow: []string{"internal/history", "internal/learner", "internal/record", "internal/replay", "internal/replay/trace", "internal/ui/feed", "internal/ui/learned", "internal/ui/whatif", "scale"}, why: "replays the workloads of a cluster"},
	"internal/ui/migrate":            {allow: []string{"api/v1alpha1", "fault", "internal/listing", "internal/convert", "internal/convert/manifests", "internal/convert/proof", "internal/convert/several", "internal/lint", "internal/ui/feed", "k8s.io/apimachinery", "k8s.io/client-go", "sigs.k8s.io/yaml"}, why: "objects of others beside their conversions"},
	"internal/ui/whatif":             {allow: []string{"api/v1alpha1", "fault", "internal/object", "internal/lint", "internal/replay", "internal/replay/linted", "internal/replay/search", "internal/replay/sim", "internal/strict", "internal/ui/decided", "internal/ui/feed", "scale", "go.yaml.in/yaml", "golang.org/x/sync", "sigs.k8s.io/yaml"}, why: "replays what someone edits, without a cluster"},
	"internal/ui/town":               {allow: []string{"api/v1alpha1", "internal/replay", "internal/replay/sim", "internal/replay/trace/generate", "internal/ui/feed", "internal/ui/replayed", "scale", "sigs.k8s.io/yaml"}, why: "the demo is a replay that goes on"},
	"internal/ui/watched":            {allow: []string{"api/v1alpha1", "engine", "explain", "internal/onlook", "internal/podsum", "internal/record", "internal/ui/decided", "internal/ui/feed", "scale", "k8s.io/apimachinery", "k8s.io/client-go", "sigs.k8s.io/controller-runtime"}, why: "a cluster as a feed, with the rights of the caller"},
	"internal/ui/server":             {allow: []string{"internal/ui/feed", "internal/ui/web", "golang.org/x/sync", "golang.org/x/time"}, why: "knows who asks, and not where the answers come from"},
	"internal/ui/access":             {allow: []string{"api/v1alpha1", "internal/ui/server", "golang.org/x/time", "k8s.io/api", "k8s.io/apimachinery", "k8s.io/client-go", "sigs.k8s.io/controller-runtime"}, why: "the API server says who asks, and what they may see"},
	"internal/ui/changes":            {allow: []string{"api/v1alpha1", "engine", "internal/strict", "internal/ui/feed", "internal/ui/server", "policy", "k8s.io/apimachinery", "k8s.io/client-go", "sigs.k8s.io/controller-runtime", "sigs.k8s.io/yaml"}, why: "changes objects as the caller, and as nobody else"},
	"internal/ui/past":               {allow: []string{"internal/controller/metrics", "internal/observe/prometheus", "internal/ui/feed", "scale"}, why: "the controller's series as what pages show"},
	"internal/ui/web":                {why: "embeds the pages"},
	"internal/ui/browser":            {why: "tests only"},
	"internal/replay/trace":          {allow: []string{"scale"}, why: "reads recordings"},
	"internal/object":                {allow: []string{"api/v1alpha1", "engine", "fault", "internal/convert", "internal/convert/manifests", "internal/strict", "policy", "sigs.k8s.io/yaml"}, why: "an object as people have it"},
	"internal/listing":               {allow: []string{"k8s.io/apimachinery", "k8s.io/client-go"}, why: "reads objects of a cluster, knows none of them"},
	"internal/cli":                   {allow: anything, why: "the edge"},
	"cmd":                            {allow: anything, why: "the edge"},
	"hack":                           {allow: anything, why: "tools of the repository"},
}

// stages are the packages below engine.
var stages = []string{"engine/boost", "engine/capacity", "engine/elastic", "engine/horizontal", "engine/interval", "engine/learn", "engine/limit",
	"engine/rightsize", "engine/schedule"}

var anything = []string{""}

// impure lists what a pure package must not import, each with its reason.
var impure = map[string]string{
	"context":      "a decision cannot be canceled",
	"crypto/rand":  "a decision must be the same every time",
	"log":          "steps say why, not a log",
	"log/slog":     "steps say why, not a log",
	"math/rand":    "a decision must be the same every time",
	"math/rand/v2": "a decision must be the same every time",
	"net":          "observe first, whole, then decide",
	"net/http":     "observe first, whole, then decide",
	"os":           "observe first, whole, then decide",
	"os/exec":      "observe first, whole, then decide",
	"sync":         "a pure function needs no lock",
	"syscall":      "observe first, whole, then decide",
}

type pkg struct {
	ImportPath string
	Dir        string
	Doc        string
	Imports    []string
	GoFiles    []string
}

// packages lists the module's packages.
func packages(t *testing.T) []pkg { return list(t, module+"/...") }

// list is what the go command says of packages.
func list(t *testing.T, args ...string) []pkg {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list", "-json=ImportPath,Dir,Doc,Imports,GoFiles"}, args...)...).Output()
	if err != nil {
		t.Fatalf("listing packages: %v", err)
	}
	var all []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func ruleOf(path string) (rule, bool) {
	for name := strings.TrimPrefix(strings.TrimPrefix(path, module), "/"); ; {
		if r, ok := rules[name]; ok {
			return r, true
		}
		i := strings.LastIndex(name, "/")
		if i < 0 {
			return rule{}, false
		}
		name = name[:i]
	}
}

func TestImports(t *testing.T) {
	for _, p := range packages(t) {
		r, ok := ruleOf(p.ImportPath)
		if !ok {
			t.Errorf("%s has no rule in the import table: add it, with what it may import and why", p.ImportPath)
			continue
		}
		for _, imported := range p.Imports {
			if isStandard(imported) {
				if why, bad := impure[imported]; r.pure && bad {
					t.Errorf("%s imports %s: %s", p.ImportPath, imported, why)
				}
				continue
			}
			if !allowed(r, strings.TrimPrefix(imported, module+"/")) {
				t.Errorf("%s imports %s, which its rule does not allow: %s", p.ImportPath, imported, r.why)
			}
		}
	}
}

func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// allowed compares whole packages of ours, and modules of others.
func allowed(r rule, imported string) bool {
	for _, a := range r.allow {
		if a == "" || imported == a || (strings.Contains(a, ".") && strings.HasPrefix(imported, a+"/")) {
			return true
		}
	}
	return false
}

func TestPackageDocs(t *testing.T) {
	for _, p := range packages(t) {
		if len(p.GoFiles) > 0 && (p.Doc == "" || !slices.Contains(p.GoFiles, "doc.go")) {
			t.Errorf("%s has no doc.go: say there what it is for", p.ImportPath)
		}
	}
}
